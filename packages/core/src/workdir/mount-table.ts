import { normalizePath, pathBelow } from "./normalize-path.js";
import type { HostPath, SandboxPath } from "./paths.js";

/** A host folder that is visible inside a sandbox. Plain data. */
export interface Mount {
  /** The folder on this machine, links resolved. */
  readonly hostPath: HostPath;
  /** Where it is seen inside. */
  readonly sandboxPath: SandboxPath;
  /** Default false. */
  readonly readOnly?: boolean | undefined;
  /** The session's own work is here: commands start in it when nobody says otherwise (SPEC 2.1). Default false. */
  readonly isWorkspace?: boolean | undefined;
}

/** The one way from a host path to a sandbox path and back. Compares by path component. */
export class MountTable {
  readonly mounts: readonly Mount[];

  constructor(mounts: readonly Mount[] = []) {
    this.mounts = mounts;
  }

  /** The sandbox side of the workspace, or null when none is mounted. */
  get workspace(): SandboxPath | null {
    return this.mounts.find((mount) => mount.isWorkspace === true)?.sandboxPath ?? null;
  }

  /** Where a host path is seen inside, or null when it is under no mount or hidden by another one. */
  toSandbox(path: string): SandboxPath | null {
    const found = closest(this.mounts, path, (mount) => mount.hostPath);
    if (found === null) return null;
    const translated = join(found.mount.sandboxPath, found.rest) as SandboxPath;
    // A deeper mount inside the sandbox may lie over the place: what is seen there is then another file.
    return closest(this.mounts, translated, (mount) => mount.sandboxPath)?.mount === found.mount
      ? translated
      : null;
  }

  /** The host file behind a sandbox path, or null when no mount reaches there. */
  toHost(path: SandboxPath): HostPath | null {
    const found = closest(this.mounts, path, (mount) => mount.sandboxPath);
    return found === null ? null : (join(found.mount.hostPath, found.rest) as HostPath);
  }
}

function closest(
  mounts: readonly Mount[],
  path: string,
  side: (mount: Mount) => string,
): { readonly mount: Mount; readonly rest: string } | null {
  let best: { mount: Mount; rest: string; depth: number } | null = null;
  for (const mount of mounts) {
    const rest = pathBelow(path, side(mount));
    if (rest === null) continue;
    const depth = normalizePath(side(mount)).length;
    // A later mount at the same place lies over an earlier one.
    if (best === null || depth >= best.depth) best = { mount, rest, depth };
  }
  return best;
}

function join(base: string, rest: string): string {
  const normal = normalizePath(base);
  return rest === "" ? normal : `${normal.endsWith("/") ? normal.slice(0, -1) : normal}${rest}`;
}
