import { asSandboxPath, type SandboxPath } from "./paths.js";

/** Where commands start when nobody says otherwise; null = wherever the environment starts them by itself. */
export type OwnDefaultCwd = SandboxPath | "~" | null;

/** The parts of a provider's flags that decide. */
export interface DefaultCwdFacts {
  /** The backend's name, normalised. */
  readonly name: string;
  readonly isContainer: boolean;
  readonly isRemote: boolean;
}

const homeBackends: ReadonlySet<string> = new Set(["ssh", "singularity"]);
/** `local` starts in the process cwd, `docker` in the image's WORKDIR: both are known only to the environment. */
const selfDecidingBackends: ReadonlySet<string> = new Set(["local", "docker"]);

/** The last step of SPEC 2.1. A third-party backend on the host's own files decides for itself, as `local` does. */
export function backendDefaultCwd({ name, isContainer, isRemote }: DefaultCwdFacts): OwnDefaultCwd {
  if (homeBackends.has(name)) return "~";
  if (selfDecidingBackends.has(name) || (!isContainer && !isRemote)) return null;
  return asSandboxPath(name === "vercel_sandbox" ? "/vercel/sandbox" : "/root");
}
