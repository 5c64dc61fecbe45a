import { execFile } from "node:child_process";
import { SpawnError, UnsupportedCapabilityError, WorkdirError } from "@talaria/core";
import { findProgram } from "../process/find-program.js";
import { programFailure } from "../process/spawn-failure.js";
import type { StartRequest } from "../process/start-request.js";
import type { Account } from "./account.js";

const details = { backend: "local", operation: "spawn" } as const;

/** The path of setpriv (util-linux), when this process may use it to change accounts; else undefined. */
export function findSetpriv(): string | undefined {
  if (process.platform !== "linux" || process.geteuid?.() !== 0) return undefined;
  const search = findProgram("setpriv", "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin", "/");
  return search.kind === "found" ? search.path : undefined;
}

/** As `findSetpriv`, but missing is an error that says what is missing. */
export function requireSetpriv(user: string): string {
  const setpriv = findSetpriv();
  if (setpriv !== undefined) return setpriv;
  const isRoot = process.geteuid?.() === 0;
  throw new UnsupportedCapabilityError(
    "user",
    isRoot
      ? `commands cannot run as "${user}": the program setpriv is not installed`
      : `commands cannot run as "${user}": only root can change the account on the local backend`,
    {
      ...details,
      hint: isRoot
        ? "Install util-linux, which holds setpriv (Linux only)."
        : "Leave `user` out, run Talaria as root, or use a backend with accounts of its own (docker).",
    },
  );
}

/** The words that run what is appended to them as `account`, with its groups. */
export function switchWords(setpriv: string, account: Account): [string, ...string[]] {
  return [setpriv, `--reuid=${account.uid}`, `--regid=${account.gid}`, "--init-groups", "--"];
}

/**
 * The first of `directories` that `account` can enter, when it can also start the program from there: asked as that
 * account, because setpriv itself could only answer with an exit code, which would look like the program's own.
 * Throws WorkdirError or SpawnError.
 */
export async function checkStartAs(
  setpriv: string,
  account: Account,
  request: StartRequest,
  directories: readonly string[],
): Promise<string> {
  const failure = programFailure(request);
  if (failure !== undefined) throw failure;
  const [program] = request.argv;
  const search = findProgram(program, request.env["PATH"], request.cwd);
  const path = search.kind === "found" ? search.path : program;
  const script =
    'program=$1; shift; for directory do if cd -- "$directory" 2>/dev/null; then ' +
    'test -x "$program" || exit 4; printf %s "$directory"; exit 0; fi; done; exit 3';
  const [file, ...words] = [
    ...switchWords(setpriv, account),
    "/bin/sh",
    "-c",
    script,
    "sh",
    path,
    ...directories,
  ];
  const { code, stdout } = await new Promise<{ code: number | string; stdout: string }>((resolve) => {
    execFile(file ?? setpriv, words, { env: {}, cwd: "/", timeout: 5_000 }, (error, output) =>
      resolve({ code: error === null ? 0 : (error.code ?? "killed"), stdout: output }),
    );
  });
  if (code === 0) return stdout;
  if (code === 3) {
    const [directory = request.cwd] = directories;
    throw new WorkdirError(
      directory,
      `the account "${account.name}" cannot enter the directory ${directory}`,
      {
        ...details,
        hint: "Start in a directory of that account, or give it the permission.",
      },
    );
  }
  if (code === 4) {
    throw new SpawnError(program, "EACCES", `the account "${account.name}" may not execute ${path}`, {
      ...details,
      hint: "Use a program that the account can reach.",
    });
  }
  throw new SpawnError(
    program,
    "EPERM",
    `the account could not be changed to "${account.name}" (setpriv: ${code})`,
    {
      ...details,
      hint: "Talaria may lack CAP_SETUID or CAP_SETGID, as in a container with reduced rights.",
    },
  );
}
