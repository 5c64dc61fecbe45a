import { accessSync, constants, statSync } from "node:fs";
import { SpawnError, TalariaError, WorkdirError } from "@talaria/core";
import { findProgram } from "./find-program.js";

/** What was to be started, as far as it explains a failure. */
export interface SpawnRequest {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

const details = { backend: "local", operation: "spawn" } as const;

/** The error for a directory that cannot be started in, or undefined when it can. */
export function workdirFailure(cwd: string): WorkdirError | undefined {
  const hint = "Create the directory, or start somewhere else.";
  try {
    const stats = statSync(cwd, { throwIfNoEntry: false });
    if (stats === undefined)
      return new WorkdirError(cwd, `the directory ${cwd} does not exist`, { ...details, hint });
    if (!stats.isDirectory()) return new WorkdirError(cwd, `${cwd} is not a directory`, { ...details, hint });
    accessSync(cwd, constants.X_OK);
    return undefined;
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
    return new WorkdirError(cwd, `the directory ${cwd} cannot be entered (${reason})`, {
      ...details,
      hint,
      cause,
    });
  }
}

/** The error for a program that is not there or not executable, or undefined when it can be started. */
export function programFailure({ argv, cwd, env }: SpawnRequest): SpawnError | undefined {
  const program = argv[0] ?? "";
  const search = findProgram(program, env["PATH"], cwd);
  if (search.kind === "missing") return missing(program, env["PATH"]);
  if (search.kind === "notExecutable") return notExecutable(program, search.path);
  return undefined;
}

function missing(program: string, searchPath: string | undefined): SpawnError {
  const where = program.includes("/") ? "" : ` in PATH (${searchPath ?? "not set"})`;
  return new SpawnError(program, "ENOENT", `the program "${program}" was not found${where}`, {
    ...details,
    hint: "Install it, correct its name, or set PATH with terminal.backends.local.pass_env.",
  });
}

function notExecutable(program: string, path: string): SpawnError {
  return new SpawnError(program, "EACCES", `the program ${path} may not be executed`, {
    ...details,
    hint: `Give it the permission (chmod +x ${path}), or run it through its interpreter.`,
  });
}

/** One argument or variable may hold this much, its closing NUL included (Linux, MAX_ARG_STRLEN). */
const maxStringBytes = 128 * 1024;

/** What is said of an argument list that the kernel refuses. */
export function argumentsTooLong(program: string, cause?: unknown): SpawnError {
  return new SpawnError(
    program,
    "E2BIG",
    `the arguments and variables for "${program}" are too long for the operating system ` +
      `(one of them may hold ${maxStringBytes} bytes on Linux)`,
    { ...details, hint: "Give the data on standard input or in a file instead.", cause },
  );
}

/** Whether one argument or variable is longer than Linux takes. The sum is left to the kernel. */
export function hasOversizedString({ argv, env }: SpawnRequest): boolean {
  // A string of n UTF-16 units has at most 3n bytes: most need no count.
  const isOversized = (text: string, extra: number): boolean =>
    (text.length + extra) * 3 >= maxStringBytes && Buffer.byteLength(text) + extra >= maxStringBytes;
  return (
    argv.some((word) => isOversized(word, 0)) ||
    Object.entries(env).some(([name, value]) => isOversized(value, Buffer.byteLength(name) + 1))
  );
}

const pathReasons = new Set(["ENOENT", "EACCES", "ENOTDIR", "ELOOP", "ENAMETOOLONG"]);

/** Turns what the operating system said about a failed start into an error that says which part of it was wrong. */
export function explainSpawnFailure(request: SpawnRequest, cause: unknown): TalariaError {
  if (TalariaError.isInstance(cause)) return cause;
  const program = request.argv[0] ?? "";
  const reason = (cause as NodeJS.ErrnoException).code ?? "unknown";
  if (reason === "E2BIG") return argumentsTooLong(program, cause);
  if (pathReasons.has(reason)) {
    // The kernel says the same of the directory and of the program.
    const failure = workdirFailure(request.cwd) ?? programFailure(request);
    if (failure !== undefined) return failure;
  }
  if (reason === "ENOENT") {
    return new SpawnError(
      program,
      reason,
      `the interpreter named in the first line of "${program}" was not found`,
      {
        ...details,
        hint: "Install the interpreter, or correct the line that begins with #!.",
        cause,
      },
    );
  }
  const said = cause instanceof Error ? cause.message : String(cause);
  return new SpawnError(program, reason, `the program "${program}" could not be started: ${said}`, {
    ...details,
    hint: hintFor(reason),
    cause,
  });
}

function hintFor(reason: string): string {
  switch (reason) {
    case "EMFILE":
    case "ENFILE":
      return "Too many files are open: close sessions, or raise the limit (ulimit -n).";
    case "EAGAIN":
    case "ENOMEM":
      return "The host is out of processes or memory: end some, or raise the limit (ulimit -u).";
    case "EACCES":
    case "EPERM":
      return "The file system may be mounted noexec, or a security policy forbids it.";
    default:
      return "Run the program by hand in the same directory to see what it lacks.";
  }
}
