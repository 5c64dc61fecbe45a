import { InvalidArgumentError } from "@talaria/core";

/** Adds one `--env NAME=VALUE` to those before it. */
export function addVariable(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const split = text.indexOf("=");
  const name = split === -1 ? text : text.slice(0, split);
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    // The value may be a secret: it is not repeated.
    throw new InvalidArgumentError("env", `--env "${name}" is not the name of a variable`, {
      hint: "it has to read NAME=VALUE; a name is letters, digits and _, and begins with no digit",
    });
  }
  if (split === -1) {
    throw new InvalidArgumentError("env", `--env "${name}" has no value: it has to read NAME=VALUE`, {
      hint: `to pass on a variable of your own shell, write --env "${name}=$${name}"`,
    });
  }
  return { ...before, [name]: text.slice(split + 1) };
}

/** A number above 0 and finite, or an error that repeats what was given. */
export function positiveNumber(option: string, unit: string): (text: string) => number {
  return (text) => {
    const value = text.trim() === "" ? Number.NaN : Number(text);
    if (!Number.isFinite(value) || value <= 0) {
      throw new InvalidArgumentError(option, `--${option} "${text}" is not a number of ${unit} above 0`, {
        hint: `give a plain number of ${unit}, for example --${option} 5000`,
      });
    }
    return value;
  };
}

/** A whole number of 0 or more, or an error that repeats what was given. */
export function countNumber(option: string, unit: string): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
    if (!Number.isSafeInteger(value)) {
      const what = unit === "" ? "a whole number" : `a whole number of ${unit}`;
      throw new InvalidArgumentError(option, `--${option} "${text}" is not ${what}, 0 or more`, {
        hint: `give a plain number, for example --${option} 100`,
      });
    }
    return value;
  };
}

/** Permission bits in octal: `644`, `0755`, `4755`. */
export function modeNumber(text: string): number {
  if (!/^[0-7]{3,5}$/.test(text) || Number.parseInt(text, 8) > 0o7777) {
    throw new InvalidArgumentError("mode", `--mode "${text}" are no permissions`, {
      hint: "write them in octal, for example --mode 644",
    });
  }
  return Number.parseInt(text, 8);
}
