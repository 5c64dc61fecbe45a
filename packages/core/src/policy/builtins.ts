import type { Analyser } from "./analyser.js";
import type { Call } from "./command-runner.js";
import type { FoundCommand } from "./found-command.js";
import { knownOutput } from "./known-output.js";
import { hasUnknown, isUnknown, marks } from "./marks.js";
import { resolvePath } from "./sandbox-location.js";

type Builtin = (call: Call, found: FoundCommand, analyser: Analyser) => string;

/** Commands of the shell that change what later commands of the text mean, or run text. */
export const builtins: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ["cd", changeDirectory],
  ["pushd", changeDirectory],
  [
    "popd",
    (call) => {
      call.scope.cwd = marks.unknown;
      return "";
    },
  ],
  [
    "eval",
    (call, found, analyser) => {
      const text = call.words
        .slice(1)
        .filter((word) => word !== "--")
        .join(" ");
      return text === "" || isUnknown(text)
        ? marks.unknown
        : analyser.runText(text, call.scope, call.input, found);
    },
  ],
  ["source", source],
  [".", source],
  ["alias", alias],
  [
    "trap",
    (call, found, analyser) => {
      const [text] = call.words.slice(1).filter((word) => word !== "--");
      if (text !== undefined && call.words.length > 2 && text !== "-" && !isUnknown(text)) {
        analyser.runText(text, call.scope.fork(), undefined, found);
      }
      return "";
    },
  ],
  [
    "set",
    (call) => {
      const at = call.words.indexOf("--");
      if (at > 0) call.scope.positionals = call.words.slice(at + 1);
      return at > 0 ? "" : marks.unknown;
    },
  ],
  [
    "shift",
    (call) => {
      const count = Number(call.words[1] ?? 1);
      call.scope.positionals = call.scope.positionals?.slice(Number.isInteger(count) ? count : 0);
      return "";
    },
  ],
  ["read", read],
  [
    "unset",
    (call) => {
      for (const name of call.words.slice(1)) call.scope.variables.delete(name);
      return "";
    },
  ],
  ["printf", printfVariable],
]);

function changeDirectory(call: Call): string {
  const [, ...rest] = call.words;
  const path = rest.find((word) => !/^-[LPe@n]+$/u.test(word) && word !== "--");
  const { scope } = call;
  if (path === "-" || path?.startsWith("+") === true) scope.cwd = marks.unknown;
  else scope.cwd = path === undefined ? scope.home : resolvePath(path, scope);
  return "";
}

function source(call: Call, found: FoundCommand, analyser: Analyser): string {
  const [, path = ""] = call.words;
  const { scope } = call;
  const text = /^\/dev\/(?:stdin|fd\/0)$/u.test(path)
    ? call.input?.text
    : (scope.files.get(path) ?? scope.files.get(path.replace(/^\.\//u, "")));
  if (text === undefined || isUnknown(text)) return marks.unknown;
  return analyser.runText(text, scope, undefined, found);
}

function alias(call: Call, found: FoundCommand, analyser: Analyser): string {
  for (const word of call.words.slice(1)) {
    const pair = /^([^=\s]+)=([\s\S]+)$/u.exec(word);
    if (pair === null) continue;
    const [, name = "", value = ""] = pair;
    call.scope.aliases.set(name, value);
    // It stays in the session: what it does is judged where it is made.
    if (!isUnknown(value)) analyser.runText(value, call.scope.fork(), undefined, found);
  }
  return "";
}

function read(call: Call): string {
  const names = call.words.slice(1).filter((word) => /^[A-Za-z_]\w*$/u.test(word));
  const line = call.input?.text;
  const first =
    line === undefined || hasUnknown(line) ? undefined : line.split("\n").filter((text) => text !== "");
  for (const [index, name] of names.entries()) {
    if (first === undefined) call.scope.assign(name, [lineValue(line)]);
    else
      call.scope.assign(
        name,
        names.length === 1 ? first : first.map((text) => text.split(/\s+/u)[index] ?? ""),
      );
  }
  return "";
}

/** Every line of what `find . | while read f` reads lies below the directory. */
function lineValue(text: string | undefined): string {
  const lines = (text ?? "").split("\n").filter((line) => line !== "");
  return lines.length === 1 ? (lines[0] ?? marks.unknown) : marks.unknown;
}

function printfVariable(call: Call, _found: FoundCommand, _analyser: Analyser): string {
  const [, option, name] = call.words;
  const output = printedText(call);
  if (option !== "-v" || name === undefined) return output;
  call.scope.assign(name, [output]);
  return "";
}

function printedText({ words, input, scope }: Call): string {
  const shown = words[1] === "-v" ? ["printf", ...words.slice(3)] : words;
  return knownOutput("printf", shown, input?.text, scope, scope.files);
}
