import { ConfigError } from "../errors/errors.js";
import { deleteInDocument, setInDocument } from "./edit-document.js";
import type { KeyChange } from "./key-change.js";
import { configErrorOf, parseYaml, type ParsedYaml } from "./parse-yaml.js";
import { spliceChange } from "./splice-change.js";

/**
 * The text of a configuration file after one change. Comments and order stay. What comes back always reads as the old
 * text with that one change, or ConfigError is thrown.
 */
export async function applyChange(file: string, before: string, change: KeyChange): Promise<string> {
  const parsed = await parseForEdit(file, before);
  const spliced = spliceChange(before, parsed, change);
  const valueBefore = meaningOf(parsed);
  if (change.value === undefined) deleteInDocument(file, parsed, change.path);
  else setInDocument(file, parsed, change.path, change.value);
  const wanted = meaningOf(parsed);
  if (valueBefore === wanted) return before;
  for (const after of [spliced, render(parsed, before)]) {
    if (after !== undefined && (await readsAs(after, wanted))) return after;
  }
  throw new ConfigError(`${file} cannot be edited without changing other values. Nothing was changed.`, {
    operation: "config.set",
    source: file,
    hint: "Make the change in an editor.",
  });
}

/** Parses a file that is to be edited. Throws ConfigError with the line of the first thing that is wrong. */
export async function parseForEdit(file: string, text: string): Promise<ParsedYaml> {
  const parsed = await parseYaml(file, text);
  if ("document" in parsed) return parsed;
  const [first] = parsed;
  throw configErrorOf(
    first ?? { severity: "error", message: `${file} is not valid YAML` },
    parsed.length - 1,
  );
}

function render({ yaml, document }: ParsedYaml, before: string): string {
  const rendered = document.toString({ lineWidth: 0, flowCollectionPadding: false });
  const isEmpty = yaml.isMap(document.contents) && document.contents.items.length === 0;
  const text = isEmpty ? rendered.replace(/^\{\}\n?/m, "") : rendered;
  return before.includes("\r\n") ? text.replaceAll(/\r?\n/g, "\r\n") : text;
}

async function readsAs(text: string, wanted: string): Promise<boolean> {
  const parsed = await parseYaml("", text);
  return "document" in parsed && meaningOf(parsed) === wanted;
}

/** Everything the file says, in its order. An empty file and an empty section say the same: nothing. */
function meaningOf({ document }: ParsedYaml): string {
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  return JSON.stringify(value ?? {});
}
