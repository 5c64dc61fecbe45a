import type { CommandResult } from "../environment/execute-result.js";
import { carriedStateOf, type CarriedState } from "../shell/carried-state.js";
import { inheritText, stateText } from "../shell/prelude.js";
import { shellQuote } from "../shell/quote.js";
import { parseStateDump, wholeMark, type StateDump } from "../shell/state-dump.js";
import type { Journal } from "./journal.js";

/** What only a job's shell has. */
const ownNames = new Set(["TALARIA_JOB"]);

/** Takes the last state of a job's shell out of the journal, in shell bytes; nothing of it stays there. */
async function takeRecord(journal: Journal, id: string, record: string): Promise<string> {
  const folder = await journal.folderOf(id);
  const { outputBytes } = await journal.run(
    `cat ${shellQuote(record)} 2>/dev/null; rm -f ${shellQuote(record)} ${shellQuote(`${folder}/record`)} ${shellQuote(`${folder}/adopt`)}\n:`,
    { maxOutputBytes: 16 * 1024 * 1024 },
  );
  return Buffer.from(outputBytes).toString("latin1");
}

/** Says that nobody will take the state over any more: the supervisor then removes it, or it is removed here. */
export async function leaveState(journal: Journal, id: string, record: string): Promise<void> {
  const folder = await journal.folderOf(id);
  await journal.run(
    `(job=${shellQuote(folder)} record=${shellQuote(record)}\n` +
      'rm -f "$job/adopt"; { [ -d "$job" ] && [ ! -e "$job/exit" ]; } || rm -f "$record" "$job/record"; :)',
  );
}

/**
 * Takes over into the session what a finished command changed in its shell: the difference between the state it began
 * with and the one it left, by a script of the session's own shell. Undefined when its last state is not known, because it
 * was ended by a signal or replaced its shell.
 */
export async function adoptState(
  journal: Journal,
  id: string,
  record: string,
  begun: string,
): Promise<CommandResult | undefined> {
  const left = await takeRecord(journal, id, record);
  const start = whole(begun);
  const end = whole(left.slice(left.indexOf("\n") + 1));
  if (start === undefined || end === undefined) return undefined;
  const from = carriedStateOf(start);
  const to = withoutOwnNames(carriedStateOf(end));
  const script = changeText(from, to) + (end.cwd === start.cwd ? "" : cdText(end.cwd));
  return journal.access.run(Buffer.from(script === "" ? ":" : script, "latin1").toString("utf8"), {
    shell: "session",
    separate: false,
  });
}

function whole(text: string): StateDump | undefined {
  return text.endsWith(wholeMark) ? parseStateDump(text) : undefined;
}

function withoutOwnNames(state: CarriedState): CarriedState {
  return { ...state, env: new Map([...state.env].filter(([name]) => !ownNames.has(name))) };
}

function changeText(from: CarriedState, to: CarriedState): string {
  const functions = inheritText(from, to, "/dev/null");
  // That text switches extended patterns on for the definitions, and off again.
  const patterns = functions !== "" && to.shopt.has("extglob") ? "\\builtin shopt -s extglob\n" : "";
  return functions + patterns + stateText(from, to);
}

function cdText(directory: string): string {
  return `\\builtin cd -- ${shellQuote(directory)} 2>/dev/null\n`;
}
