import type { Node, ParsedNode } from "yaml";
import { ConfigError } from "../errors/errors.js";
import { looksSecret } from "../provider/looks-secret.js";
import { checkValue } from "./check-value.js";
import { emptyLayer, type ConfigLayer } from "./config-layer.js";
import type { ConfigProblem, ConfigSource, ConfigValue } from "./config-value.js";
import { showSource } from "./config-value.js";
import { isSection, targetOfPath, type KeyTarget, type KnownSchemas } from "./key-target.js";
import { parseYaml, type ParsedYaml } from "./parse-yaml.js";
import { readConfigFile } from "./read-config-file.js";

/** How deep Talaria's own keys go; anything below is refused instead of followed (a document can be its own part). */
const deepest = 4;

/** Reads one configuration file. A file that is not there is an empty layer; everything wrong is a problem. */
export async function readFileLayer(
  path: string,
  kind: "user" | "project",
  schemas: KnownSchemas,
): Promise<ConfigLayer> {
  let text: string | undefined;
  try {
    text = await readConfigFile(path);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return {
      values: [],
      problems: [{ severity: "error", message: error.message, source: error.source, hint: error.hint }],
    };
  }
  if (text === undefined) return emptyLayer;
  const parsed = await parseYaml(path, text);
  if (!("document" in parsed)) return { values: [], problems: parsed };
  return new FileLayerReader(path, kind, schemas, parsed).read();
}

class FileLayerReader {
  readonly #path: string;
  readonly #kind: "user" | "project";
  readonly #schemas: KnownSchemas;
  readonly #parsed: ParsedYaml;
  readonly #values: ConfigValue[] = [];
  readonly #problems: ConfigProblem[] = [];

  constructor(path: string, kind: "user" | "project", schemas: KnownSchemas, parsed: ParsedYaml) {
    this.#path = path;
    this.#kind = kind;
    this.#schemas = schemas;
    this.#parsed = parsed;
  }

  read(): ConfigLayer {
    const { document } = this.#parsed;
    const contents: Node | null = document.contents;
    if (contents !== null) this.#readSection(contents, []);
    return { values: this.#values, problems: this.#problems };
  }

  #readSection(node: Node, path: readonly string[]): void {
    const { yaml, document } = this.#parsed;
    const resolved = yaml.isAlias(node) ? node.resolve(document) : node;
    if (resolved === undefined || (yaml.isScalar(resolved) && resolved.value === null)) return;
    if (!yaml.isMap<ParsedNode, ParsedNode | null>(resolved)) {
      const where = path.length === 0 ? "The configuration" : `"${path.join(".")}"`;
      this.#error(node, path, `${where} in ${this.#at(node)} must be a section of keys, one below the other`);
      return;
    }
    for (const pair of resolved.items) {
      const name = yaml.isScalar(pair.key) ? String(pair.key.value) : undefined;
      if (name === undefined) {
        this.#error(pair.key, path, `A key in ${this.#at(pair.key)} is not a plain name`);
        continue;
      }
      this.#readKey(pair.key, pair.value, [...path, name]);
    }
  }

  #readKey(keyNode: Node, value: Node | null, path: readonly string[]): void {
    if (path.length < deepest && isSection(path)) {
      if (value !== null) this.#readSection(value, path);
      return;
    }
    const target = targetOfPath(path, this.#schemas, looksSecret);
    if ("reason" in target) {
      const meant =
        target.nearest !== undefined
          ? ` Did you mean "${target.nearest}"?`
          : target.kind === "dotsInOnePiece"
            ? ` Write ${path.join(".").split(".").join(": / ")}: as nested keys.`
            : "";
      this.#problems.push({
        severity: "warning",
        message: `Unknown key "${target.key}" in ${this.#at(keyNode)} is ignored: ${target.reason}.${meant}`,
        key: target.key,
        source: this.#at(keyNode),
        hint: target.nearest === undefined ? undefined : `Use ${target.nearest}.`,
      });
      return;
    }
    this.#readValue(target, keyNode, value);
  }

  #readValue(target: KeyTarget, keyNode: Node, node: Node | null): void {
    const plain = node === null ? null : this.#plain(node);
    // `key:` with nothing behind it means "not set", as people use it.
    if (plain === null || plain === undefined) return;
    const checked = checkValue(target.field, plain);
    const at = this.#at(keyNode);
    if (!checked.ok) {
      const isQuoted = typeof plain === "string" && /^(\d+(\.\d+)?|true|false)$/.test(plain);
      this.#problems.push({
        severity: "error",
        message: `${target.key} in ${at} must be ${checked.expected}, but is ${checked.found}`,
        key: target.key,
        source: at,
        hint: isQuoted
          ? "Remove the quotes."
          : `Correct the line, or use: talaria config set ${target.key} <value>`,
      });
      return;
    }
    this.#values.push({
      key: target.key,
      value: checked.value,
      source: this.#source(keyNode),
      isSecret: target.isSecret,
    });
  }

  #plain(node: Node): unknown {
    try {
      // Few aliases are ever meant; the limit ends a document made to explode.
      return node.toJS(this.#parsed.document, { maxAliasCount: 100 });
    } catch (error) {
      return error;
    }
  }

  #error(node: Node, path: readonly string[], message: string): void {
    this.#problems.push({
      severity: "error",
      message,
      key: path.length === 0 ? undefined : path.join("."),
      source: this.#at(node),
      hint: "Correct the file in an editor. Nothing was changed.",
    });
  }

  #source(node: Node): ConfigSource {
    const line = node.range ? this.#parsed.lines.linePos(node.range[0]).line : undefined;
    return { kind: this.#kind, where: this.#path, line };
  }

  #at(node: Node): string {
    return showSource(this.#source(node));
  }
}
