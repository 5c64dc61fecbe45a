import { InvalidArgumentError, JobError } from "../errors/errors.js";
import { bashText } from "../shell/bash-text.js";
import { shellQuote } from "../shell/quote.js";
import { checkTimeout } from "./check-timeout.js";
import type { JobWaitOptions } from "./job-options.js";
import type { Journal } from "./journal.js";
import { aliveFunction, endedFunction, readBootId } from "./shell-pieces.js";

const windowMs = 10_000;

/**
 * Looks for a listener in the kernel's tables, which nobody notices; where there are none, by connecting. Waits inside
 * the sandbox, for one window.
 */
const portText = bashText`
listening() {
  if [ -r /proc/net/tcp ]; then
    cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | grep -q "^ *[0-9]*: [0-9A-F]*:$hex [0-9A-F]*:[0-9A-F]* 0A "
  elif [ -n "\${BASH_VERSION-}" ]; then
    ( exec 3<>"/dev/tcp/127.0.0.1/$port" ) 2>/dev/null
  else
    nc -z 127.0.0.1 "$port" 2>/dev/null
  fi
}
[ -d "$job" ] || { echo gone; exit 0; }
rounds=$((window / 50 + 1)) round=0
while :; do
  is_ended=0; ended "$job" && is_ended=1
  if listening; then echo open; exit 0; fi
  if [ $is_ended = 1 ]; then echo ended; exit 0; fi
  [ $round -lt $rounds ] || break
  sleep 0.05 2>/dev/null || { sleep 1; round=$((round + 19)); }
  round=$((round + 1))
done
echo waiting
`;

/** Waits until something listens on a TCP port of the sandbox. */
export async function waitForPort(
  journal: Journal,
  id: string,
  port: number,
  { timeoutMs, signal }: JobWaitOptions,
): Promise<void> {
  const { backend } = journal.access;
  checkTimeout(timeoutMs, "jobs.waitForPort");
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new InvalidArgumentError("port", `${String(port)} is no TCP port: 1 to 65535.`, {
      backend,
      operation: "jobs.waitForPort",
      hint: "Give the port that the job listens on.",
    });
  }
  const folder = await journal.folderOf(id, signal);
  const deadline = timeoutMs === undefined ? Infinity : performance.now() + timeoutMs;
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  for (;;) {
    const leftMs = Math.max(0, deadline - performance.now());
    const values = `job=${shellQuote(folder)} port=${port} hex=${hex} window=${Math.ceil(Math.min(windowMs, leftMs))}\n`;
    const { output } = await journal.run(
      `(${values}${readBootId}${aliveFunction}${endedFunction}${portText})`,
      { signal },
    );
    const answer = output.trim();
    if (answer === "open") return;
    if (answer === "gone") throw journal.unknown(id);
    if (answer === "ended") {
      throw new JobError("job_ended", id, `The job "${id}" has ended and nothing listens on port ${port}.`, {
        backend,
        operation: "jobs.waitForPort",
        hint: "Read the end of its log.",
      });
    }
    if (performance.now() >= deadline) {
      throw new JobError(
        "job_invalid",
        id,
        `Nothing listens on port ${port} after ${timeoutMs} ms. The job "${id}" still runs.`,
        {
          backend,
          operation: "jobs.waitForPort",
          hint: "Wait longer, or read its log.",
        },
      );
    }
  }
}
