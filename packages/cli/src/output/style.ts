/** How a text looks. Returned unchanged where colour is off. */
export type Look = (text: string) => string;

/** The few looks the CLI uses. */
export interface Style {
  readonly bold: Look;
  readonly dim: Look;
  readonly good: Look;
  readonly bad: Look;
  readonly warning: Look;
}

/**
 * Whether a stream gets colour. `NO_COLOR` (any value but empty) wins; `FORCE_COLOR` (any value but empty, `0` or
 * `false`) comes next; otherwise only a terminal that is not dumb.
 */
export function wantsColour(env: NodeJS.ProcessEnv, isTty: boolean): boolean {
  if ((env["NO_COLOR"] ?? "") !== "") return false;
  const force = env["FORCE_COLOR"];
  if (force !== undefined && force !== "") return force !== "0" && force !== "false";
  return isTty && env["TERM"] !== "dumb";
}

const plain: Look = (text) => text;
const wrap =
  (open: number, close: number): Look =>
  (text) =>
    `\u001b[${open}m${text}\u001b[${close}m`;

export function makeStyle(colour: boolean): Style {
  return colour
    ? { bold: wrap(1, 22), dim: wrap(2, 22), good: wrap(32, 39), bad: wrap(31, 39), warning: wrap(33, 39) }
    : { bold: plain, dim: plain, good: plain, bad: plain, warning: plain };
}
