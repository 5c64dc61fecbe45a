import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { helperEnvironment, InvalidArgumentError } from "@talaria/core";

/** An entry of the account database. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
  readonly shell: string;
}

/** Reads one line in the form of passwd(5); undefined when it is none. */
export function parseAccount(line: string): Account | undefined {
  const [name, , uid, gid, , home, shell] = line.split(":");
  if (name === undefined || name === "" || home === undefined || !/^\d+$/.test(uid ?? "")) return undefined;
  return { name, uid: Number(uid), gid: Number(gid), home: home || "/", shell: shell?.trim() || "/bin/sh" };
}

/** The account of a name or of a numeric uid in /etc/passwd, if it is there. */
export function accountInPasswd(user: string): Account | undefined {
  let text: string;
  try {
    text = readFileSync("/etc/passwd", "utf8");
  } catch {
    return undefined;
  }
  const accounts = text.split("\n").map(parseAccount);
  return (
    accounts.find((account) => account?.name === user) ??
    (/^\d+$/.test(user) ? accounts.find((account) => account?.uid === Number(user)) : undefined)
  );
}

/** The account of a name or of a numeric uid, from /etc/passwd, else from the directory service (getent). */
export async function findAccount(user: string): Promise<Account> {
  const found = accountInPasswd(user) ?? parseAccount(await askDirectory(user));
  if (found !== undefined) return found;
  throw new InvalidArgumentError("user", `there is no account "${user}" on this host`, {
    backend: "local",
    operation: "spawn",
    hint: "Give the name or the uid of an account that exists (getent passwd), or leave `user` out.",
  });
}

/** A name cannot begin with a dash, so it cannot be taken for an option. */
function askDirectory(user: string): Promise<string> {
  if (!/^[^-:\s\0][^:\s\0]*$/.test(user)) return Promise.resolve("");
  return new Promise((resolve) => {
    execFile("getent", ["passwd", user], { timeout: 5_000, env: helperEnvironment() }, (error, stdout) =>
      resolve(error ? "" : stdout),
    );
  });
}

/** The variables that describe an account to the programs it runs. */
export function accountVariables(account: Account): Readonly<Record<string, string>> {
  return { HOME: account.home, USER: account.name, LOGNAME: account.name, SHELL: account.shell };
}
