import { InvalidArgumentError } from "../errors/errors.js";

/** A whole number within bounds. Throws InvalidArgumentError that names the argument and the bounds. */
export function wholeNumber(argument: string, value: unknown, least: number, most: number): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
  throw new InvalidArgumentError(
    argument,
    `\`${argument}\` has to be a whole number from ${least} to ${most}.`,
    {
      operation: "files",
      hint: typeof value === "number" ? `It was ${value}.` : `It was of the type ${typeof value}.`,
    },
  );
}

/** Permission bits, or none. */
export function checkMode(mode: number | undefined): void {
  if (mode !== undefined) wholeNumber("mode", mode, 0, 0o7777);
}
