import type { Pair, ParsedNode, YAMLMap, YAMLSeq } from "yaml";
import type { KeyChange } from "./key-change.js";
import type { ParsedYaml } from "./parse-yaml.js";

/**
 * Makes a change in the text itself, so that every other byte of the file stays: the library renders a document anew,
 * which moves comments and blank lines. Undefined where the place is unusual (flow style, aliases); the caller checks
 * what the new text reads as, and renders instead when this could not or did not do it.
 */
export function spliceChange(
  text: string,
  parsed: ParsedYaml,
  { path, value }: KeyChange,
): string | undefined {
  const { yaml, document } = parsed;
  const { contents } = document;
  if (contents === null)
    return value === undefined ? undefined : insertLines(text, text.length, "", path, value, parsed);
  const holders: { readonly map: YAMLMap.Parsed; readonly pair: Pair<ParsedNode, ParsedNode | null> }[] = [];
  let node: ParsedNode | null = contents;
  for (const name of path) {
    if (!yaml.isMap<ParsedNode, ParsedNode | null>(node) || node.flow === true) break;
    const map: YAMLMap.Parsed = node;
    const pair: Pair<ParsedNode, ParsedNode | null> | undefined = map.items.find(
      ({ key }) => yaml.isScalar(key) && key.value === name,
    );
    if (pair === undefined)
      return value === undefined
        ? undefined
        : appendToMap(text, map, path.slice(holders.length), value, parsed);
    holders.push({ map, pair });
    node = pair.value;
  }
  const last = holders.at(-1);
  if (last === undefined) return undefined;
  if (holders.length < path.length) {
    const isEmpty =
      node === null || (yaml.isScalar(node) && node.value === null && node.range[0] === node.range[1]);
    if (value === undefined || !isEmpty) return undefined;
    const indent = `${indentOf(text, last.pair.key.range[0])}  `;
    return insertLines(
      text,
      endOfLine(text, last.pair.key.range[1]),
      indent,
      path.slice(holders.length),
      value,
      parsed,
    );
  }
  if (value === undefined) return removePair(text, holders, parsed);
  if (node === null) return undefined;
  if (yaml.isSeq<ParsedNode>(node) && node.flow !== true) return changeList(text, node, value, parsed);
  if (
    yaml.isMap(node) ||
    (yaml.isScalar(node) && (node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED"))
  )
    return undefined;
  return text.slice(0, node.range[0]) + inline(value, parsed) + text.slice(node.range[1]);
}

function appendToMap(
  text: string,
  map: YAMLMap.Parsed,
  path: readonly string[],
  value: unknown,
  parsed: ParsedYaml,
): string | undefined {
  const [first] = map.items;
  const end = map.items.at(-1);
  if (first === undefined || end === undefined) return undefined;
  const indent = indentOf(text, first.key.range[0]);
  const position = skipDeeperComments(text, endOfLine(text, contentEnd(text, end)), indent);
  return insertLines(text, position, indent, path, value, parsed);
}

/** Comments indented deeper belong to what stands above, and stay with it. */
function skipDeeperComments(text: string, lineEnd: number, indent: string): number {
  const deeper = new RegExp(`^(?:\\r?\\n${indent} +#[^\\r\\n]*)+`).exec(text.slice(lineEnd));
  return lineEnd + (deeper?.[0].length ?? 0);
}

/** Lines for a key below `position`, which is the end of a line. */
function insertLines(
  text: string,
  position: number,
  indent: string,
  path: readonly string[],
  value: unknown,
  parsed: ParsedYaml,
): string {
  const lineEnd = lineEndOf(text);
  const lines = path.map((name, depth) => {
    const key = `${indent}${"  ".repeat(depth)}${inline(name, parsed)}:`;
    return depth === path.length - 1 ? `${key} ${inline(value, parsed)}` : key;
  });
  const before = text.slice(0, position);
  const separator = before === "" || before.endsWith("\n") ? "" : lineEnd;
  const after = text.slice(position);
  return before + separator + lines.join(lineEnd) + (/^\r?\n/.test(after) ? "" : lineEnd) + after;
}

function removePair(
  text: string,
  holders: readonly { readonly map: YAMLMap.Parsed; readonly pair: Pair<ParsedNode, ParsedNode | null> }[],
  parsed: ParsedYaml,
): string {
  let depth = holders.length - 1;
  // A section that would be left without keys goes as a whole, unless comments in it would go too.
  while (depth > 0 && holders[depth]?.map.items.length === 1 && !hasComments(holders[depth]?.map, parsed))
    depth -= 1;
  const pair = holders[depth]?.pair;
  if (pair === undefined) return text;
  const start = startOfLine(text, pair.key.range[0]);
  const end = endOfLine(text, contentEnd(text, pair));
  const newline = /^\r?\n/.exec(text.slice(end))?.[0] ?? "";
  return text.slice(0, start) + text.slice(end + newline.length);
}

/** Items that stay keep their lines and comments; others go, and new ones come at the end. */
function changeList(
  text: string,
  list: YAMLSeq.Parsed,
  value: unknown,
  parsed: ParsedYaml,
): string | undefined {
  const [first] = list.items;
  if (!Array.isArray(value) || value.length === 0 || first === undefined) return undefined;
  const wanted: unknown[] = [...(value as readonly unknown[])];
  const dash = text.slice(startOfLine(text, first.range[0]), first.range[0]);
  if (!/^\s*-\s+$/.test(dash)) return undefined;
  let changed = text;
  let end = endOfLine(text, list.items.at(-1)?.range[1] ?? 0);
  const added = wanted.filter((item) => !list.items.some((node) => valueOf(node, parsed) === item));
  changed =
    changed.slice(0, end) +
    added.map((item) => lineEndOf(text) + dash + inline(item, parsed)).join("") +
    changed.slice(end);
  for (const node of list.items.toReversed()) {
    if (wanted.includes(valueOf(node, parsed))) continue;
    end = endOfLine(changed, node.range[1]);
    const newline = /^\r?\n/.exec(changed.slice(end))?.[0] ?? "";
    changed = changed.slice(0, startOfLine(changed, node.range[0])) + changed.slice(end + newline.length);
  }
  return changed;
}

function valueOf(node: ParsedNode, parsed: ParsedYaml): unknown {
  return parsed.yaml.isScalar(node) ? node.value : undefined;
}

function hasComments(map: YAMLMap.Parsed | undefined, parsed: ParsedYaml): boolean {
  if (map === undefined) return false;
  return (
    map.comment != null ||
    map.commentBefore != null ||
    map.items.some(({ key }) => parsed.yaml.isNode(key) && key.commentBefore != null)
  );
}

/** A value in one line. A text of several lines is quoted, with its line ends as escapes. */
function inline(value: unknown, { yaml }: ParsedYaml): string {
  if (typeof value === "string" && /[\r\n]/.test(value)) return JSON.stringify(value);
  const document = new yaml.Document(value);
  if (yaml.isCollection(document.contents)) document.contents.flow = true;
  return document.toString({ lineWidth: 0, flowCollectionPadding: false }).trimEnd();
}

/** Where a pair's own text ends, without the blank lines and comments behind it. */
function contentEnd(text: string, { key, value }: Pair<ParsedNode, ParsedNode | null>): number {
  const end = Math.max(key.range[1], value?.range[1] ?? 0);
  const own = text.slice(0, end).trimEnd().length;
  return Math.max(own, key.range[1]);
}

function startOfLine(text: string, position: number): number {
  return text.lastIndexOf("\n", position - 1) + 1;
}

function endOfLine(text: string, position: number): number {
  const found = text.indexOf("\n", position);
  if (found === -1) return text.length;
  return text[found - 1] === "\r" ? found - 1 : found;
}

function indentOf(text: string, position: number): string {
  return /^ */.exec(text.slice(startOfLine(text, position), position))?.[0] ?? "";
}

function lineEndOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}
