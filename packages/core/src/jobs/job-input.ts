import { JobError, UnsupportedCapabilityError } from "../errors/errors.js";
import type { TerminalSize } from "../environment/sandbox-process.js";
import { bashText } from "../shell/bash-text.js";
import { shellQuote } from "../shell/quote.js";
import type { JobWaitOptions } from "./job-options.js";
import type { Journal } from "./journal.js";

/** What one script carries. Less than a pipe holds, so that a job which reads now and then is not waited for. */
const pieceBytes = 12 * 1024;

/**
 * Written by a builtin, each byte that is not plain as an octal number: so any bytes go through any transport, and no
 * program has to be started. The FIFO is opened for reading and writing first, which waits for nobody; without that
 * reader of ours the supervisor's is the last, and a write after the job's end fails.
 */
const writeText = bashText`
[ -d "$job" ] || { echo gone; exit 0; }
[ ! -e "$job/exit" ] || { echo ended; exit 0; }
[ ! -e "$job/closed" ] || { echo closed; exit 0; }
trap '' PIPE
exec 8<>"$job/in" 9>"$job/in" 8>&-
if printf -- "$data" 2>/dev/null >&9; then echo written; else echo ended; fi
`;

const closeText = bashText`
[ -d "$job" ] || { echo gone; exit 0; }
if [ ! -e "$job/exit" ] && [ ! -e "$job/closed" ]; then : >"$job/closed"; echo 1<>"$job/hold"; fi
echo written
`;

const resizeText = bashText`
[ -d "$job" ] || { echo gone; exit 0; }
[ ! -e "$job/exit" ] || { echo ended; exit 0; }
command -v stty >/dev/null 2>&1 || { echo missing; exit 0; }
tty=; { IFS= read -r tty <"$job/tty"; } 2>/dev/null
[ -c "$tty" ] || { echo ended; exit 0; }
if stty rows "$rows" cols "$columns" 2>/dev/null <"$tty"; then echo written; else echo ended; fi
`;

/** A printf format that prints these bytes. */
function printfFormat(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) {
    const isPlain = (byte >= 0x20 && byte < 0x7f && byte !== 0x25 && byte !== 0x5c) || byte === 0x0a;
    text += isPlain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, "0")}`;
  }
  return text;
}

/** Sends bytes to a job's standard input. */
export async function writeInput(
  journal: Journal,
  id: string,
  bytes: Uint8Array,
  { signal, timeoutMs }: JobWaitOptions,
): Promise<void> {
  const folder = await journal.folderOf(id, signal);
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const format = printfFormat(bytes.subarray(at, at + pieceBytes));
    const script = `(job=${shellQuote(folder)} data=${shellQuote(format)}\n${writeText})`;
    const { outcome, output } = await journal.access.run(script, {
      workdir: "/",
      separate: false,
      signal,
      timeoutMs,
    });
    signal?.throwIfAborted();
    const answer = outcome.kind === "exited" ? output.trim() : "full";
    if (answer !== "written") throw inputError(journal, id, answer, at);
  }
}

/** Ends a job's standard input. */
export async function closeInput(journal: Journal, id: string): Promise<void> {
  const { output } = await journal.run(`(job=${shellQuote(await journal.folderOf(id))}\n${closeText})`);
  if (output.trim() !== "written") throw journal.unknown(id);
}

/** Changes the size of a job's terminal; the kernel tells the job. */
export async function resizeTerminal(
  journal: Journal,
  id: string,
  { rows, columns }: TerminalSize,
): Promise<void> {
  const folder = await journal.folderOf(id);
  const { output } = await journal.run(
    `(job=${shellQuote(folder)} rows=${rows} columns=${columns}\n${resizeText})`,
  );
  const answer = output.trim();
  if (answer === "missing") {
    throw new UnsupportedCapabilityError(
      "tty",
      `The sandbox of "${journal.access.backend}" has no stty: a job's terminal keeps its size.`,
      {
        backend: journal.access.backend,
        operation: "jobs.resize",
        hint: "Install coreutils in the sandbox.",
      },
    );
  }
  if (answer !== "written") throw inputError(journal, id, answer, 0);
}

function inputError(journal: Journal, id: string, answer: string, sentBytes: number): JobError {
  if (answer === "gone") return journal.unknown(id);
  const { backend } = journal.access;
  const sent = sentBytes > 0 ? ` ${sentBytes} bytes were sent before.` : "";
  if (answer === "closed") {
    return new JobError("job_invalid", id, `The standard input of the job "${id}" is closed.${sent}`, {
      backend,
      operation: "jobs.write",
      hint: 'Start it with stdin: "open" and do not call closeStdin before the last write.',
    });
  }
  if (answer === "full") {
    return new JobError(
      "job_invalid",
      id,
      `The job "${id}" does not read its standard input.${sent} How much of the rest has arrived is not known.`,
      {
        backend,
        operation: "jobs.write",
        hint: "Wait until it reads, or give a longer timeoutMs.",
      },
    );
  }
  return new JobError("job_ended", id, `The job "${id}" has ended: nobody reads its standard input.${sent}`, {
    backend,
    operation: "jobs.write",
    hint: "Look at its info and the end of its log.",
  });
}
