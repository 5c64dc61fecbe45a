import { closeSync, openSync } from "node:fs";

/**
 * Descriptors of the terminals this process holds. They are the only state of this module, because they are state of
 * the process: the native part opens them without close-on-exec, which nothing in Node can add. Whatever is started
 * while one is open would inherit it, could read and type there, and would keep it from ever hanging up.
 */
const masters = new Set<number>();

export function registerMaster(fd: number): void {
  masters.add(fd);
}

export function forgetMaster(fd: number): void {
  masters.delete(fd);
}

/** What a child may be given for a descriptor: one of ours, or nothing. */
export type ChildDescriptor = number | "ignore" | "pipe";

/** Runs `start` with the descriptors of a child, in which every open terminal is covered by /dev/null. */
export function withMastersCovered<T>(
  streams: readonly ChildDescriptor[],
  start: (stdio: ChildDescriptor[]) => T,
): T {
  if (masters.size === 0) return start([...streams]);
  const nothing = openSync("/dev/null", "r");
  try {
    const stdio: ChildDescriptor[] = [...streams];
    // "ignore" above 2 leaves a descriptor as it is: those of Node close by themselves.
    while (stdio.length <= Math.max(...masters)) stdio.push(masters.has(stdio.length) ? nothing : "ignore");
    return start(stdio);
  } finally {
    closeSync(nothing);
  }
}

/** The words that start `argv` without the open terminals, where descriptors cannot be given: in a fork. */
export function withoutMasters(
  argv: readonly [string, ...string[]],
  bash: string,
): readonly [string, ...string[]] {
  if (masters.size === 0) return argv;
  const closing = [...masters].map((fd) => `${fd}>&-`).join(" ");
  return [bash, "--noprofile", "--norc", "-c", `exec ${closing}; exec "$@"`, "bash", ...argv];
}
