import type * as yamlLibrary from "yaml";
import type { Document, LineCounter, ParsedNode } from "yaml";
import { ConfigError } from "../errors/errors.js";
import type { ConfigProblem } from "./config-value.js";

type Yaml = typeof yamlLibrary;

/** A parsed configuration file. `yaml` is the library itself, for those who look at nodes. */
export interface ParsedYaml {
  readonly yaml: Yaml;
  readonly document: Document.Parsed<ParsedNode>;
  readonly lines: LineCounter;
}

/** Parses a file's text. The library is loaded only now: a start without a configuration file does not pay for it. */
export async function parseYaml(path: string, text: string): Promise<ParsedYaml | readonly ConfigProblem[]> {
  const yaml = await import("yaml");
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: true,
    version: "1.2",
    schema: "core",
    merge: false,
    keepSourceTokens: false,
  });
  const problems = document.errors.map((error): ConfigProblem => {
    const { line, col } = lines.linePos(error.pos[0]);
    return {
      severity: "error",
      message: `${path}:${line}:${col} is not valid YAML: ${explain(error.code, error.message)}`,
      source: `${path}:${line}`,
      hint: `Correct line ${line} in an editor. Nothing was changed.`,
    };
  });
  return problems.length > 0 ? problems : { yaml, document, lines };
}

function explain(code: string, message: string): string {
  if (code === "TAB_AS_INDENT") return "it is indented with a tab; use spaces";
  if (code === "DUPLICATE_KEY") return "the same key is there twice";
  if (code === "MULTIPLE_DOCS") return "it holds several documents, separated by ---";
  return message;
}

/** The error for a problem: `more` others were found with it. */
export function configErrorOf(problem: ConfigProblem, more = 0): ConfigError {
  const others = more === 0 ? "" : ` (${more} more: talaria config check)`;
  return new ConfigError(`${problem.message}${others}`, {
    operation: "config.load",
    key: problem.key,
    source: problem.source,
    hint: problem.hint,
  });
}
