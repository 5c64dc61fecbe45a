import { loadConfig, showSource, showValue, type ConfigValue } from "@talaria/core";
import { failure, success } from "../exit-status.js";
import { formatDocument } from "../output/json-document.js";
import { formatTable } from "../output/table.js";
import type { Invocation } from "../program/invocation.js";

/** Prints one value alone, for scripts; where it came from is said on stderr. Status 1 when it is not set. */
export async function getValue(invocation: Invocation, key: string, json: boolean): Promise<number> {
  const { stdout, messages } = invocation;
  const config = await loadConfig();
  const value = config.value(key);
  if (json) {
    await stdout.write(
      formatDocument(value === undefined ? { key, value: null, source: null } : valueMember(value)),
    );
  } else if (value === undefined) {
    messages.note(`${key} is not set`);
  } else {
    stdout.line(showValue(value));
    messages.note(
      value.source.kind === "default"
        ? `${key} has its default`
        : `${key} comes from ${showSource(value.source)}`,
    );
  }
  return value === undefined ? failure : success;
}

/** Prints every value with its source. */
export async function listValues(invocation: Invocation, json: boolean): Promise<number> {
  const { stdout, style, messages } = invocation;
  const config = await loadConfig();
  if (json) {
    await stdout.write(
      formatDocument({ values: config.entries().map(valueMember), warnings: config.warnings }),
    );
    return success;
  }
  const rows = config
    .entries()
    .map((value) => [value.key, showValue(value), { text: sourceText(value), look: style.dim }]);
  for (const line of formatTable(rows)) stdout.line(line);
  for (const warning of config.warnings) messages.warning(warning);
  return success;
}

/** A value as a member of a document. A secret is there or not; its value never is. */
export function valueMember(value: ConfigValue): object {
  const { key, isSecret, source } = value;
  return isSecret
    ? { key, isSecret, isSet: showValue(value) === "set", source }
    : { key, value: value.value, source };
}

function sourceText({ source }: ConfigValue): string {
  return source.kind === "default" ? "default" : showSource(source);
}
