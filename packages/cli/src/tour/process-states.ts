import type { TerminalSession } from "@talaria/core";

/** What a look at one process showed. `state` is the system's own word (`S (sleeping)`), or `gone`. */
export interface ProcessState {
  readonly pid: number;
  readonly state: string;
  readonly command: string;
}

/** True for a process that will never run again: it is gone, or ended and not yet collected by its parent. */
export function isDead({ state }: ProcessState): boolean {
  return state === "gone" || state.startsWith("Z");
}

/** Looks at processes from inside the sandbox: from /proc where there is one, else by ps. */
export async function lookAt(session: TerminalSession, pids: readonly number[]): Promise<ProcessState[]> {
  const script = `for pid in ${pids.join(" ")}; do
    if [ -r /proc/$pid/status ]; then
      state=$(sed -n 's/^State:[[:space:]]*//p' /proc/$pid/status 2>/dev/null)
      words=$(tr '\\0' ' ' < /proc/$pid/cmdline 2>/dev/null)
    else
      state=$(ps -o state= -p $pid 2>/dev/null); words=$(ps -o command= -p $pid 2>/dev/null)
    fi
    printf '%s\\t%s\\t%s\\n' $pid "\${state:-gone}" "$words"
  done`;
  const { output } = await session.execute(script);
  return output
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [pid = "", state = "gone", command = ""] = line.split("\t");
      return { pid: Number(pid), state, command: command.trim() };
    });
}
