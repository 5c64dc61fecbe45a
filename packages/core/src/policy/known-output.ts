import { locateProgram } from "./program-name.js";
import { hasUnknown, marks, toShellText } from "./marks.js";
import { ansiText } from "./printf-text.js";
import type { CommandPlace } from "./found-command.js";

/** What is known of the files that a text wrote. */
export type KnownFiles = ReadonlyMap<string, string>;

/** What a command prints, with marks for what is not known. */
export function knownOutput(
  name: string,
  words: readonly string[],
  input: string | undefined,
  place: CommandPlace,
  files: KnownFiles,
): string {
  const operands = words.slice(1).filter((word) => !word.startsWith("-"));
  switch (name) {
    case "true":
    case ":":
    case "cd":
    case "mkdir":
    case "touch":
    case "rm":
    case "set":
    case "export":
    case "sleep":
    case "test":
    case "[":
      return "";
    case "echo":
      return echoed(words);
    case "printf":
      return printed(words);
    case "pwd":
      return place.cwd;
    case "cat":
      return fileText(operands, input, files);
    case "tee":
    case "head":
    case "tail":
    case "sort":
    case "uniq":
    case "tac":
      return operands.length > 0 && name !== "tee"
        ? fileText(operands, input, files)
        : (input ?? marks.unknown);
    case "grep":
    case "egrep":
    case "rg":
      return words.some((word) => /^-[a-zA-Z]*[lL]|^--files/u.test(word))
        ? relativeName
        : (input ?? marks.unknown);
    case "ls":
    case "git":
    case "fd":
    case "fdfind":
      return name === "git" ? gitOutput(words, place) : name === "ls" ? listed(words) : relativeName;
    case "find":
      return found(words);
    case "base64":
    case "xxd":
    case "rev":
    case "tr":
      return transformed(name, words, encodedInput(name, operands, input, files));
    case "which":
      return operands[0] === undefined ? marks.unknown : locateProgram(operands[0]);
    case "basename":
      return (operands[0] ?? "").replace(/\/+$/u, "").replace(/^.*\//u, "");
    case "dirname":
      return (operands[0] ?? "").replace(/\/?[^/]*\/*$/u, "") || ".";
    case "mktemp":
      return `/tmp/${marks.unknown}`;
    default:
      return marks.unknown;
  }
}

/** Encoding again and again makes a text longer each time. */
const longestTransformed = 262_144;
const relativeName = `./${marks.unknown}`;

function fileText(paths: readonly string[], input: string | undefined, files: KnownFiles): string {
  if (paths.length === 0) return input ?? "";
  return paths
    .map((path) => (path === "/dev/stdin" ? (input ?? "") : (files.get(path) ?? marks.unknown)))
    .join("");
}

function echoed(words: readonly string[]): string {
  let at = 1;
  let escapes = false;
  let newline = "\n";
  for (; /^-[neE]+$/u.test(words[at] ?? ""); at += 1) {
    if (words[at]?.includes("e") === true) escapes = true;
    if (words[at]?.includes("n") === true) newline = "";
  }
  const text = toShellText(words.slice(at).join(" "));
  return (escapes ? ansiText(text) : text) + newline;
}

function printed(words: readonly string[]): string {
  const rest = words[1] === "--" ? words.slice(2) : words.slice(1);
  if (rest[0] === "-v") return "";
  const [format = "", ...values] = rest.map(toShellText);
  const template = ansiText(format);
  let next = 0;
  let output = "";
  // A format is used again until its values are gone.
  for (let round = 0; round < 64; round += 1) {
    const before = next;
    output += template.replace(
      /%(?:%|[-+ #0]*\d*(?:\.\d+)?([a-zA-Z]))/gu,
      (match, kind: string | undefined) => {
        if (match === "%%") return "%";
        const value = values[next] ?? "";
        next += 1;
        if (kind === "b") return ansiText(value);
        return kind === "c" ? value.slice(0, 1) : value;
      },
    );
    if (next >= values.length || next === before) break;
  }
  return output;
}

/** `ls -d /etc` and `ls /etc/*` print what they were given; `ls /etc` the names in it, which are looked for here. */
function listed(words: readonly string[]): string {
  const isItself = words.some((word) => /^-[a-zA-Z1]*d|^--directory$/u.test(word));
  const operands = words.slice(1).filter((word) => !word.startsWith("-"));
  const printed = operands.filter((word) => isItself || word.includes(marks.star));
  return printed.length === 0 ? relativeName : printed.join("\n");
}

function gitOutput(words: readonly string[], place: CommandPlace): string {
  if (words.includes("--show-toplevel")) return place.tree;
  return words.some((word) => /^(?:ls-files|diff|ls-tree|status)$/u.test(word))
    ? relativeName
    : marks.unknown;
}

const findFilter =
  /^-(?:i?name|i?path|i?wholename|i?regex|[acm]time|[acm]min|newer\w*|size|user|group|uid|gid|empty|perm|links|inum|samefile|nouser|nogroup|used)$/u;

/** Where `find` looks, and whether it takes everything there. */
function findRoots(words: readonly string[]): {
  readonly roots: readonly string[];
  readonly isFiltered: boolean;
} {
  const roots: string[] = [];
  let at = 1;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (/^-[HLP]$|^-O\d$/u.test(word)) continue;
    if (/^[-(!]/u.test(word)) break;
    roots.push(word);
  }
  return {
    roots: roots.length === 0 ? ["."] : roots,
    isFiltered: words.slice(at).some((word) => findFilter.test(word)),
  };
}

/** The paths that `find` acts on: a root itself when nothing is left out. */
export function findTargets(words: readonly string[]): readonly string[] {
  const { roots, isFiltered } = findRoots(words);
  return roots.map((root) => (isFiltered ? `${root.replace(/\/+$/u, "")}/${marks.unknown}` : root));
}

function found(words: readonly string[]): string {
  return findTargets(words).join("\n");
}

/** `base64 -d file`: the operand is a file, where the program takes one. */
function encodedInput(
  name: string,
  operands: readonly string[],
  input: string | undefined,
  files: KnownFiles,
): string | undefined {
  const [path] = name === "tr" ? [] : operands;
  return path === undefined || path === "-" ? input : (files.get(path) ?? marks.unknown);
}

function transformed(name: string, words: readonly string[], input: string | undefined): string {
  if (input === undefined || hasUnknown(input) || input.length > longestTransformed) return marks.unknown;
  switch (name) {
    case "rev":
      return input
        .split("\n")
        .map((line) => Array.from(line).toReversed().join(""))
        .join("\n");
    case "base64":
      return words.some((word) => /^(?:-[dDi]+|--decode)$/u.test(word))
        ? Buffer.from(input, "base64").toString("utf8")
        : Buffer.from(input).toString("base64");
    case "xxd":
      return words.some((word) => /^-\w*r/u.test(word)) && words.some((word) => /^-\w*p/u.test(word))
        ? Buffer.from(input.replace(/\s/gu, ""), "hex").toString("utf8")
        : marks.unknown;
    default:
      return translated(words, input);
  }
}

function translated(words: readonly string[], input: string): string {
  const [from, to] = words.slice(1);
  if (from === "-d" && to !== undefined) return input.replace(new RegExp(`[${setOf(to)}]`, "gu"), "");
  if (from === undefined || to === undefined || from.startsWith("-")) return marks.unknown;
  const [sources, targets] = [charactersOf(from), charactersOf(to)];
  if (sources.length === 0 || targets.length === 0) return marks.unknown;
  const table = new Map(sources.map((source, index) => [source, targets[index] ?? targets.at(-1) ?? ""]));
  return Array.from(input, (char) => table.get(char) ?? char).join("");
}

function setOf(set: string): string {
  return (
    charactersOf(set)
      .map((char) => char.replace(/[\\\]^-]/u, "\\$&"))
      .join("") || "\\uE006"
  );
}

function charactersOf(set: string): string[] {
  const characters: string[] = [];
  for (let at = 0; at < set.length && characters.length < 512; at += 1) {
    const [from, dash, to] = [set.charCodeAt(at), set.charAt(at + 1), set.charCodeAt(at + 2)];
    if (dash === "-" && at + 2 < set.length && to >= from && to - from < 256) {
      for (let code = from; code <= to; code += 1) characters.push(String.fromCharCode(code));
      at += 2;
    } else characters.push(set.charAt(at));
  }
  return characters;
}
