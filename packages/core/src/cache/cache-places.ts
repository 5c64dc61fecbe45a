import { normalizePath, pathBelow } from "../workdir/normalize-path.js";
import { asHostPath, asSandboxPath, type HostPath, type SandboxPath } from "../workdir/paths.js";
import { cacheFolder, isOwnName } from "./scan-host.js";

/** The two sides of the mirror, each with all the names that it goes by. */
export interface CacheSides {
  /** `<TALARIA_HOME>`: as it is written, and without links. The first one is used for answers. */
  readonly hosts: readonly string[];
  /** The base inside: as it is written, and without links. */
  readonly bases: readonly string[];
  readonly credentialFiles: readonly string[];
}

/** Where a file of the host's cache is inside; null for what is not mirrored. */
export function insideOf(path: string, sides: CacheSides): SandboxPath | null {
  const [base] = sides.bases;
  const rest = mirroredRest(path, sides.hosts, sides.credentialFiles);
  return rest === null || base === undefined ? null : asSandboxPath(joined(base, rest));
}

/** The file of the host's cache that is seen inside at a place; null for what did not come from it. */
export function hostOf(path: string, sides: CacheSides): HostPath | null {
  const [host] = sides.hosts;
  const rest = mirroredRest(path, sides.bases, sides.credentialFiles);
  return rest === null || host === undefined ? null : asHostPath(joined(host, rest));
}

/** The part below the root, with its slash. Compared by component, after `..` is worked out. */
function mirroredRest(
  path: string,
  roots: readonly string[],
  credentialFiles: readonly string[],
): string | null {
  for (const root of roots) {
    const rest = pathBelow(path, root);
    if (rest === null) continue;
    const [, first, second] = rest.split("/");
    if (first === cacheFolder && (second === undefined || !isOwnName(second))) return rest;
    if (credentialFiles.includes(rest.slice(1))) return rest;
  }
  return null;
}

function joined(root: string, rest: string): string {
  const normal = normalizePath(root);
  return normal === "/" ? rest : `${normal}${rest}`;
}
