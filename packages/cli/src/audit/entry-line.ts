import type { AuditEntry } from "@talaria/core";
import { formatMs } from "../exec/explain-outcome.js";
import { formatBytes } from "../output/amounts.js";
import type { Style } from "../output/style.js";
import { visibleText } from "../output/visible-text.js";

/** More of a text is in the audit itself: `--json`. */
const shownCharacters = 200;

/** One entry on one line: when, where, what, how it ended, the command or path. */
export function entryLine(entry: AuditEntry, style: Style): string {
  const { time, kind, session, backend } = entry;
  const where = session === undefined ? "-" : `${shortName(session)}@${backend ?? "-"}`;
  const { text, isBad } = told(entry);
  const line = `${localTime(time)}  ${where.padEnd(16)}  ${kind.padEnd(8)}  ${text}`;
  const shown = visibleText(line).replaceAll("\n", "\\n");
  return isBad ? style.bad(shown) : shown;
}

function told(entry: AuditEntry): { readonly text: string; readonly isBad: boolean } {
  const word = (name: string): string => {
    const value = entry[name];
    return typeof value === "string" ? shortened(value) : typeof value === "number" ? String(value) : "";
  };
  const operation = word("operation");
  const error = word("error");
  const end = error === "" ? "" : `  (${error})`;
  switch (entry.kind) {
    case "command": {
      const outcome = word("outcome");
      const code = outcome === "exited" ? ` ${word("exit_code")}` : "";
      const rule = word("rule") === "" ? "" : ` [${word("rule")}]`;
      const took = entry["phase"] === "start" ? "" : `, ${formatMs(Number(entry["duration_ms"]))}`;
      const isBad = outcome !== "exited" && outcome !== "running";
      return { text: `${outcome}${code}${took}${rule}  ${word("command")}${end}`, isBad };
    }
    case "job": {
      const code = word("exit_code");
      const text = `${operation} ${word("job_id")}${code === "" ? "" : ` exited ${code}`}  ${word("command")}${end}`;
      return { text: text.trimEnd(), isBad: error !== "" };
    }
    case "file": {
      const other = word("other_path");
      const bytes = typeof entry["bytes"] === "number" ? ` (${formatBytes(entry["bytes"])})` : "";
      const text = `${operation}  ${word("path")}${other === "" ? "" : ` -> ${other}`}${bytes}${end}`;
      return { text, isBad: error !== "" };
    }
    case "approval": {
      const scope = word("scope") === "" ? "" : ` for ${word("scope")}`;
      const isBad = operation === "denied" || operation === "timed_out";
      return {
        text: `${operation.replaceAll("_", " ")}${scope} [${word("rule")}]  ${word("command")}`,
        isBad,
      };
    }
    case "session":
      return { text: operation, isBad: false };
    case "gap":
      return { text: `entries are missing here ${JSON.stringify(entry)}`, isBad: true };
  }
}

/** A session without a name is known by its id: the beginning of it tells which. */
function shortName(session: string): string {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-/.test(session) ? session.slice(0, 8) : session;
}

function shortened(text: string): string {
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)} …` : text;
}

/** Down to the second, in local time: `2026-12-01 08:30:05`. */
function localTime(time: string): string {
  const date = new Date(time);
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
