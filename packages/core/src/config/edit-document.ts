import type { Document, Node, ParsedNode, YAMLMap } from "yaml";
import { ConfigError } from "../errors/errors.js";
import type { ParsedYaml } from "./parse-yaml.js";

/** Sets a value in a parsed document; comments, order and everything else stay. */
export function setInDocument(
  file: string,
  parsed: ParsedYaml,
  path: readonly string[],
  value: unknown,
): void {
  const { yaml, document } = parsed;
  let section = rootSection(file, parsed);
  for (const [depth, name] of path.slice(0, -1).entries()) {
    const next = section.get(name, true) as Node | null | undefined;
    if (yaml.isMap(next)) {
      section = next;
      continue;
    }
    if (next !== undefined && next !== null && !(yaml.isScalar(next) && next.value === null)) {
      throw notEditable(file, path.slice(0, depth + 1).join("."), yaml.isAlias(next));
    }
    const made: YAMLMap = new yaml.YAMLMap(document.schema);
    if (yaml.isScalar(next)) {
      made.comment = next.comment ?? null;
      made.commentBefore = next.commentBefore ?? null;
    }
    section.set(document.createNode(name), made);
    section = made;
  }
  const last = path.at(-1) ?? "";
  const before = section.get(last, true) as Node | undefined;
  const node = document.createNode(value);
  if (before !== undefined) {
    if (yaml.isAlias(before)) throw notEditable(file, path.join("."), true);
    if (before.anchor !== undefined) throw notEditable(file, path.join("."), true);
    node.comment = before.comment ?? null;
    node.commentBefore = before.commentBefore ?? null;
    node.spaceBefore = before.spaceBefore ?? false;
    if (yaml.isSeq(node) && yaml.isSeq(before) && before.flow !== undefined) node.flow = before.flow;
  }
  section.set(last, node);
}

/** Removes a value; sections that become empty go with it. Returns false when it was not there. */
export function deleteInDocument(file: string, parsed: ParsedYaml, path: readonly string[]): boolean {
  const { yaml, document } = parsed;
  if (document.contents === null) return false;
  const sections: { readonly section: YAMLMap; readonly name: string }[] = [];
  let section: unknown = document.contents;
  for (const [depth, name] of path.entries()) {
    if (yaml.isAlias(section)) throw notEditable(file, path.slice(0, depth).join("."), true);
    if (!yaml.isMap(section)) return false;
    sections.push({ section, name });
    section = section.get(name, true);
  }
  if (section === undefined) return false;
  if (isAnchored(section)) throw notEditable(file, path.join("."), true);
  for (const { section: holder, name } of sections.toReversed()) {
    keepCommentOfFirst(parsed, holder, name);
    holder.delete(name);
    if (holder.items.length > 0 || isAnchored(holder)) return true;
    if (holder.comment || holder.commentBefore) return true;
  }
  return true;
}

/** The comment above a section's first key is the section's in the library's eyes, but not when it goes. */
function keepCommentOfFirst(parsed: ParsedYaml, section: YAMLMap, name: string): void {
  const [first, second] = section.items;
  const { yaml } = parsed;
  if (first === undefined || second === undefined) return;
  if (!yaml.isScalar(first.key) || first.key.value !== name || !yaml.isScalar(second.key)) return;
  // A blank line above what is now the first key would stand right below the section's name.
  second.key.spaceBefore = false;
}

function isAnchored(node: unknown): boolean {
  return typeof node === "object" && node !== null && "anchor" in node && node.anchor !== undefined;
}

function rootSection(file: string, parsed: ParsedYaml): YAMLMap {
  const { yaml } = parsed;
  const document: Document<ParsedNode | YAMLMap> = parsed.document;
  const { contents } = document;
  if (yaml.isMap(contents)) return contents;
  if (contents === null || (yaml.isScalar(contents) && contents.value === null)) {
    const root: YAMLMap = new yaml.YAMLMap(document.schema);
    document.contents = root;
    return root;
  }
  throw new ConfigError(
    `${file} is not a section of keys, so no key can be set in it. Nothing was changed.`,
    {
      operation: "config.set",
      source: file,
      hint: "Correct the file in an editor.",
    },
  );
}

function notEditable(file: string, key: string, isShared: boolean): ConfigError {
  return new ConfigError(
    `"${key}" in ${file} cannot be edited: it is ${isShared ? "shared with other keys (an anchor or alias)" : "a value, not a section"}. Nothing was changed.`,
    { operation: "config.set", key, source: file, hint: "Change it in an editor." },
  );
}
