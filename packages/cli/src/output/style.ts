/** The few looks the CLI uses. Each returns its text unchanged where colour is off. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  warning(text: string): string;
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

const plain = (text: string): string => text;
const wrap =
  (open: number, close: number) =>
  (text: string): string =>
    `\u001b[${open}m${text}\u001b[${close}m`;

export function makeStyle(colour: boolean): Style {
  return colour
    ? { bold: wrap(1, 22), dim: wrap(2, 22), good: wrap(32, 39), bad: wrap(31, 39), warning: wrap(33, 39) }
    : { bold: plain, dim: plain, good: plain, bad: plain, warning: plain };
}
