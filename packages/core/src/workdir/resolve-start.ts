import { WorkdirError } from "../errors/errors.js";
import { judgeContainerPath } from "./container-guard.js";
import { isAtOrBelow, normalizePath } from "./normalize-path.js";
import { isDrivePath, type SandboxPath } from "./paths.js";
import type { ConfiguredCwd, ResolvedStart, StartInputs } from "./start-inputs.js";

/** A directory that can be used: not yet looked up in the sandbox. */
interface Place {
  readonly path: SandboxPath | "~" | null;
  readonly relative?: string | undefined;
}

/** A set value either gives a place or the reason why it does not. */
type Judged =
  | { readonly isUsable: true; readonly place: Place }
  | { readonly isUsable: false; readonly reason: string; readonly dependsOnHome: boolean };

const placeholders: ReadonlySet<string> = new Set(["", ".", "auto", "cwd"]);

/**
 * Where a command starts (SPEC 2.1 to 2.6). The only place that decides it: commands, jobs, file tools, streams and
 * forwards all ask here. Pure: it looks at nothing but its inputs, and `~` stays for the sandbox to resolve unless its
 * home is among them. Throws WorkdirError for an explicit `workdir` of the form `~name`.
 */
export function resolveStart(inputs: StartInputs): ResolvedStart {
  return inputs.workdir === undefined ? resolveStanding(inputs) : resolveWorkdir(inputs, inputs.workdir);
}

/** What an explicit directory means. It is never skipped and never guarded: who names it means it. */
function resolveWorkdir(inputs: StartInputs, workdir: string): ResolvedStart {
  const decided = { source: "workdir", ifMissing: "fail", notes: [], wantsHome: false } as const;
  if (isOtherHome(workdir)) {
    throw new WorkdirError(workdir, `The workdir "${workdir}" names the home of another account by "~".`, {
      backend: inputs.backend,
      operation: "execute",
      hint: "Give the directory's absolute path; only ~ and ~/… (the sandbox's own home) are resolved.",
    });
  }
  if (workdir.startsWith("~")) return atHome(inputs, homePlace(workdir), decided);
  if (workdir.startsWith("/") || isDrivePath(workdir)) {
    const translated = isInsideMount(inputs, workdir) ? null : inputs.mounts.toSandbox(workdir);
    if (translated !== null) return { ...decided, path: translated };
    if (workdir.startsWith("/")) return { ...decided, ...physicalPlace(workdir) };
  }
  const base = resolveStanding(inputs);
  return {
    ...decided,
    notes: base.notes,
    wantsHome: base.wantsHome,
    ...joinPlace(base, workdir),
  };
}

/** Where the session stands when the call itself names no directory. */
function resolveStanding(inputs: StartInputs): ResolvedStart {
  if (inputs.recorded !== undefined && inputs.recorded !== null) {
    return { path: inputs.recorded, ifMissing: "nearest", source: "recorded", notes: [], wantsHome: false };
  }
  const skipped: string[] = [];
  let dependsOnHome = false;
  const skip = (what: string, judged: Judged & { isUsable: false }): void => {
    skipped.push(`${what} was skipped: it ${judged.reason}`);
    dependsOnHome ||= judged.dependsOnHome;
  };
  const finish = (place: Place, rest: Pick<ResolvedStart, "source" | "ifMissing">): ResolvedStart => {
    const start = atHome(inputs, place, { ...rest, notes: [], wantsHome: dependsOnHome });
    const where = start.path === null ? "the environment's own default directory" : describePlace(start);
    return {
      ...start,
      notes: [...skipped.map((text) => `${text}. Commands start in ${where}.`), ...start.notes],
    };
  };

  if (inputs.configured !== undefined && !placeholders.has(inputs.configured.value.trim())) {
    const judged = judgeConfigured(inputs, inputs.configured);
    if (judged.isUsable) return finish(judged.place, { source: "configured", ifMissing: "fail" });
    skip(describeConfigured(inputs.configured), judged);
  }
  if (inputs.mounts.workspace !== null) {
    return finish({ path: inputs.mounts.workspace }, { source: "workspace", ifMissing: "fail" });
  }
  const declared = inputs.defaultCwd ?? { kind: "none" };
  if (declared.kind === "unusable") {
    skipped.push(`The default directory of "${inputs.backend}" was skipped: ${declared.reason}`);
  }
  if (declared.kind === "declared") {
    const judged = judgeDeclared(inputs, declared.path);
    if (judged.isUsable) {
      const ifMissing = judged.place.path === "~" ? "nearest" : "home";
      return finish(judged.place, { source: "defaultCwd", ifMissing });
    }
    skip(`The default directory "${declared.path}" declared by "${inputs.backend}" (default_cwd)`, judged);
  }
  const ifMissing = inputs.ownDefault === "~" ? "nearest" : "home";
  return finish({ path: inputs.ownDefault }, { source: "backendDefault", ifMissing });
}

function judgeConfigured(inputs: StartInputs, { value: written, baseDirectory }: ConfiguredCwd): Judged {
  const value = written.trim();
  if (value.includes("\0")) return unusable("contains a NUL character");
  if (isOtherHome(value)) return unusable("names the home of another account");
  if (value.startsWith("~")) return usable(homePlace(value));
  const translated = inputs.mounts.toSandbox(value);
  if (isAbsolute(value) && translated !== null) return usable({ path: translated });
  if (inputs.isContainer) return judgeInContainer(inputs, value);
  if (value.startsWith("/")) return usable({ path: value as SandboxPath });
  if (isDrivePath(value)) return unusable("is a Windows path");
  if (inputs.isRemote) return usable({ path: "~", relative: value });
  return baseDirectory === undefined
    ? unusable(
        "is relative, and only a project file, a variable or an option has a directory it could be relative to",
      )
    : usable({ path: `${baseDirectory.replace(/\/+$/, "")}/${value}` as SandboxPath });
}

function judgeDeclared(inputs: StartInputs, path: string): Judged {
  if (path === "~") return usable({ path });
  if (!path.startsWith("/") && !isDrivePath(path)) return unusable('is neither an absolute path nor "~"');
  if (inputs.isContainer) return judgeInContainer(inputs, path);
  return path.startsWith("/") ? usable({ path: path as SandboxPath }) : unusable("is a Windows path");
}

function judgeInContainer(inputs: StartInputs, path: string): Judged {
  const declared = inputs.defaultCwd?.kind === "declared" ? inputs.defaultCwd.path : null;
  const verdict = judgeContainerPath(path, { declared, homes: inputs.homes });
  return verdict.isUsable ? usable({ path: path as SandboxPath }) : verdict;
}

/** Puts the home's real name in the place of `~` where it is known, and says so where it cannot be. */
function atHome(
  inputs: StartInputs,
  place: Place,
  rest: Omit<ResolvedStart, "path" | "relative">,
): ResolvedStart {
  if (place.path !== "~") return { ...place, ...rest };
  const [home] = inputs.homes ?? [];
  if (home !== undefined) return { ...place, path: home, ...rest };
  if (inputs.homes === undefined) return { ...place, ...rest, wantsHome: true };
  if (rest.source === "workdir") {
    throw new WorkdirError(
      "~",
      "The workdir begins with ~, but the sandbox does not tell which home it has.",
      {
        backend: inputs.backend,
        operation: "execute",
        hint: "Give the directory's absolute path.",
      },
    );
  }
  const note = `The home directory (~) of "${inputs.backend}" could not be found out. Commands start in the environment's own default directory.`;
  return { path: null, ...rest, notes: [...rest.notes, note] };
}

/** A path that is already the inside of a mount is not translated a second time. */
function isInsideMount(inputs: StartInputs, path: string): boolean {
  return inputs.mounts.mounts.some((mount) => isAtOrBelow(path, mount.sandboxPath));
}

/** A `..` is left to the sandbox to follow, which a shell's `cd` does not do within one path: `link/..` is not where it began. */
function physicalPlace(path: string): Place {
  const up = /\/+\.\.(?=\/|$)/.exec(path);
  if (up === null) return { path: path as SandboxPath };
  const before = path.slice(0, up.index) || "/";
  return { path: before as SandboxPath, relative: path.slice(up.index).replace(/^\/+/, "") };
}

function homePlace(value: string): Place {
  const relative = value.slice(1).replace(/^\/+/, "");
  return relative === "" ? { path: "~" } : { path: "~", relative };
}

/** The parts stay apart: `..` after a link is the parent of the link's target, which only the sandbox can tell. */
function joinPlace(base: Place, relative: string): Place {
  const staysThere = /^[./]+$/.test(relative) && normalizePath(`/x/${relative}`) === "/x";
  const parts = [base.relative, staysThere ? undefined : relative].filter((part) => part !== undefined);
  return parts.length === 0 ? { path: base.path } : { path: base.path, relative: parts.join("/") };
}

function isOtherHome(value: string): boolean {
  return value.startsWith("~") && value.length > 1 && !value.startsWith("~/");
}

function isAbsolute(value: string): boolean {
  return value.startsWith("/") || isDrivePath(value);
}

function describePlace({ path, relative }: Place): string {
  return relative === undefined ? String(path) : `${path}/${relative}`;
}

/** Names a configured directory, its key and its origin, for an error or a note. */
export function describeConfigured({ value, key, origin }: ConfiguredCwd): string {
  return `${key} "${value}"${origin === undefined ? "" : ` (from ${origin})`}`;
}

function usable(place: Place): Judged {
  return { isUsable: true, place };
}

function unusable(reason: string): Judged & { isUsable: false } {
  return { isUsable: false, reason, dependsOnHome: false };
}
