import { InvalidArgumentError, type SpawnOptions } from "@talaria/core";

/** One start of a process, with everything decided: what is left is to do it. */
export interface StartRequest {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** The whole environment of the process. */
  readonly env: Readonly<Record<string, string>>;
  /** Open files in place of pipes. */
  readonly stdinFile: number | undefined;
  readonly stdoutFile: number | undefined;
  readonly signal: AbortSignal | undefined;
}

const details = { backend: "local", operation: "spawn" } as const;

/** Checks an argv as a caller gave it. Throws InvalidArgumentError where the operating system could not carry it. */
export function checkArgv(argv: readonly string[]): readonly [string, ...string[]] {
  const [program, ...words] = argv;
  if (program === undefined || program === "") {
    throw new InvalidArgumentError("argv", "there is no program to start: argv is empty", {
      ...details,
      hint: "Give the program as the first word, its arguments as the following ones.",
    });
  }
  const index = argv.findIndex((word) => word.includes("\0"));
  if (index !== -1) {
    throw new InvalidArgumentError(
      "argv",
      `word ${index} of argv holds a NUL character, which no argument can`,
      {
        ...details,
        hint: "Give binary data on standard input.",
      },
    );
  }
  return [program, ...words];
}

/** Checks the open files that a process is given. Throws InvalidArgumentError. */
export function checkHostFiles({ stdinFile, stdoutFile, tty }: SpawnOptions): void {
  for (const [name, file] of Object.entries({ stdinFile, stdoutFile })) {
    if (file === undefined) continue;
    if (!Number.isSafeInteger(file) || file < 0) {
      throw new InvalidArgumentError(name, `\`${name}\` is no descriptor of an open file: ${file}`, {
        ...details,
        hint: "Give the number that fs.openSync returns, or the `fd` of a FileHandle.",
      });
    }
    if (tty !== undefined) {
      throw new InvalidArgumentError(name, `a process with a tty cannot have \`${name}\``, {
        ...details,
        hint: "Leave `tty` out: the terminal is the standard input and output of its process.",
      });
    }
  }
}

/** Checks the names and values of variables set for a process. Throws InvalidArgumentError. */
export function checkVariables(env: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(env)) {
    if (name === "" || name.includes("=") || name.includes("\0") || value?.includes("\0") === true) {
      throw new InvalidArgumentError("env", `the variable "${name.replaceAll("\0", "\\0")}" cannot be set`, {
        ...details,
        hint: 'A name is not empty and has no "="; neither name nor value holds a NUL character.',
      });
    }
  }
}
