import type { SessionUnderTest } from "./session-under-test.js";

/** A process seen inside the sandbox. */
export interface SeenProcess {
  readonly pid: number;
  /** First letter of its state as the kernel shows it: `R S D T Z …`. */
  readonly state: string;
  readonly parentPid: number;
}

/**
 * The mark goes in by a variable and reaches `grep` on its standard input, so that neither the looking shell nor `grep`
 * carries it among its own arguments. Arguments end with a NUL, which `grep` of busybox takes for the end of everything
 * unless told so (`-z`). A zombie has no arguments: it counts as dead.
 */
const findMarked = `
if [ -r /proc/self/cmdline ]; then
  printf '%s' "$CONFORMANCE_MARK" | grep -lzF -f /dev/stdin /proc/[0-9]*/cmdline 2>/dev/null |
  while IFS=/ read -r _ _ pid _; do echo "$pid"; done
else
  ps -axo pid=,command= | { IFS= read -r first; printf '%s\\n' "$first"; cat; } |
  while read -r pid words; do case $words in *"$CONFORMANCE_MARK"*) echo "$pid";; esac; done
fi
:`;

const listAll = `
if [ -r /proc/self/stat ]; then
  for file in /proc/[0-9]*/stat; do { IFS= read -r line <"$file"; } 2>/dev/null && printf '%s\\n' "$line"; done
else
  ps -axo pid=,stat=,ppid= | while read -r pid state parent; do echo "$pid (x) $state $parent"; done
fi
:`;

/** Looks at and ends processes inside the sandbox, by commands of an observing session. */
export class SandboxProcesses {
  readonly #observer: SessionUnderTest;

  constructor(observer: SessionUnderTest) {
    this.#observer = observer;
  }

  /** Pids of living processes that have the mark among their arguments. */
  async withMark(mark: string): Promise<readonly number[]> {
    const { output } = await this.#observer.execute(findMarked, { env: { CONFORMANCE_MARK: mark } });
    return output
      .split("\n")
      .filter((line) => /^\d+$/.test(line))
      .map(Number);
  }

  /** True while a process with the mark lives. */
  async isAlive(mark: string): Promise<boolean> {
    return (await this.withMark(mark)).length > 0;
  }

  /** Ends whatever carries one of the marks, for good. */
  async killMarked(marks: readonly string[]): Promise<void> {
    for (const mark of marks) {
      const pids = await this.withMark(mark);
      if (pids.length > 0) await this.#observer.execute(`kill -KILL ${pids.join(" ")} 2>/dev/null; :`);
    }
  }

  /** Every process of the sandbox that can be seen, the looking shell included. */
  async list(): Promise<readonly SeenProcess[]> {
    const { output } = await this.#observer.execute(listAll, { maxOutputBytes: 16_000_000 });
    return output.split("\n").flatMap((line) => {
      // A name may hold spaces and parentheses: what counts begins after the last one.
      const match = /^(\d+) \(.*\) (\S)\S* (\d+)/.exec(line);
      if (match === null) return [];
      return [{ pid: Number(match[1]), state: match[2] ?? "?", parentPid: Number(match[3]) }];
    });
  }
}
