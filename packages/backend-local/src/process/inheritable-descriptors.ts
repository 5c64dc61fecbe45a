import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";

/**
 * Descriptors of this process that its children would inherit, which no command may: whoever started Talaria left them
 * open, or they are the terminals held here, which the native part opens without close-on-exec. A child could read and
 * type in another's terminal, and would keep it from ever hanging up.
 *
 * They are the only state of this module, because they are state of the process. Nothing in Node can set close-on-exec,
 * so children get /dev/null in their place. Everything Node opens itself closes by itself.
 */
const masters = new Set<number>();
let leftOpen: readonly number[] | undefined;

/** Above this, a table of descriptors for each child would cost more than it saves. */
const highest = 1_024;
/** fcntl(2) on Linux, as fdinfo shows it. */
const closeOnExec = 0o2_000_000;

export function registerMaster(fd: number): void {
  masters.add(fd);
}

export function forgetMaster(fd: number): void {
  masters.delete(fd);
}

function isInheritable(fd: number): boolean {
  try {
    const [, flags] = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "latin1")) ?? [];
    return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0;
  } catch {
    return false;
  }
}

/** What was open before this process had a say. Looked for once; Linux only. */
function findLeftOpen(): readonly number[] {
  try {
    return readdirSync("/proc/self/fd")
      .map(Number)
      .filter((fd) => fd > 2 && fd < highest && !masters.has(fd) && isInheritable(fd));
  } catch {
    return [];
  }
}

/** All that have to be covered now. A number that was closed since may be Node's own today, and is left alone. */
function inheritable(): ReadonlySet<number> {
  leftOpen ??= findLeftOpen();
  if (leftOpen.length === 0) return masters;
  return new Set([...masters, ...leftOpen.filter(isInheritable)]);
}

/** What a child may be given for a descriptor: one of ours, or nothing. */
export type ChildDescriptor = number | "ignore" | "pipe";

/** Runs `start` with the descriptors of a child, in which those it must not have are covered by /dev/null. */
export function withCoveredDescriptors<T>(
  streams: readonly ChildDescriptor[],
  start: (stdio: ChildDescriptor[]) => T,
): T {
  const covered = inheritable();
  if (covered.size === 0) return start([...streams]);
  const nothing = openSync("/dev/null", "r");
  try {
    const stdio: ChildDescriptor[] = [...streams];
    const count = Math.max(...covered) + 1;
    // "ignore" above 2 leaves a descriptor as it is.
    while (stdio.length < count) stdio.push(covered.has(stdio.length) ? nothing : "ignore");
    return start(stdio);
  } finally {
    closeSync(nothing);
  }
}

/** The words that start `argv` without those descriptors, where a table of them cannot be given: in a fork. */
export function withoutDescriptors(
  argv: readonly [string, ...string[]],
  bash: string,
): readonly [string, ...string[]] {
  const closed = inheritable();
  if (closed.size === 0) return argv;
  const closing = [...closed].map((fd) => `${fd}>&-`).join(" ");
  return [bash, "--noprofile", "--norc", "-c", `exec ${closing}; exec "$@"`, "bash", ...argv];
}
