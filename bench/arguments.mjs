// @ts-check
import { parseArgs } from "node:util";
import { groupNames } from "./group-list.mjs";

/** The backends whose alternatives are known here. */
const backends = ["local"];

export const usage = `Usage:
  npm run bench -- local                   everything, as tables
  npm run bench --silent -- local --json   one JSON document on stdout
  npm run bench -- local --only commands   one group; may be given more than once

Groups: ${groupNames.join(", ")}

  --check   end with status 1 when a target is missed
  --quick   a few repetitions only, to see that it works: its figures prove nothing
  --json    machine-readable
  -h, --help
`;

/**
 * @typedef {object} BenchArguments
 * @property {string} backend
 * @property {readonly string[]} only empty = all
 * @property {boolean} isJson
 * @property {boolean} isChecked
 * @property {boolean} isQuick
 * @property {boolean} isHelpWanted
 */

/**
 * @param {readonly string[]} words
 * @returns {BenchArguments | { problem: string }}
 */
export function readArguments(words) {
  const parsed = parse(words);
  if ("problem" in parsed) return parsed;
  const { values, positionals } = parsed;
  const [backend = "local", ...more] = positionals;
  if (more.length > 0) return { problem: `one backend at a time: what is "${more.join(" ")}"?` };
  if (!backends.includes(backend)) {
    return { problem: `there is nothing to compare "${backend}" with yet; known: ${backends.join(", ")}.` };
  }
  const only = values.only ?? [];
  const unknown = only.find((name) => !groupNames.includes(name));
  if (unknown !== undefined) return { problem: `there is no group "${unknown}".` };
  if (values.check === true && values.quick === true) {
    return { problem: "--quick proves nothing, so there is nothing to --check: leave one of them out." };
  }
  return {
    backend,
    only,
    isJson: values.json === true,
    isChecked: values.check === true,
    isQuick: values.quick === true,
    isHelpWanted: values.help === true,
  };
}

/** @param {readonly string[]} words */
function parse(words) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        json: { type: "boolean" },
        only: { type: "string", multiple: true },
        check: { type: "boolean" },
        quick: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
