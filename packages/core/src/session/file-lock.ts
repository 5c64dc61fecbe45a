import { randomUUID } from "node:crypto";
import { link, unlink, writeFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { readLockFile } from "../config/read-lock-file.js";
import { SessionFileError } from "../errors/errors.js";
import { lifeOf, ownIdentity, type ProcessIdentity } from "./process-identity.js";

interface LockOwner extends ProcessIdentity {
  /** Tells one holding of the lock from every other. */
  readonly token: string;
}

export interface FileLockOptions {
  /** Milliseconds until waiting is given up with an error that names the holder. Default 5,000. */
  readonly deadlineMs?: number | undefined;
}

/** Nobody holds the lock for longer than it takes to write a small file, so looking again soon is cheap. */
const lookAgainMs = 15;

/**
 * Runs `action` while this process holds the lock file. The lock is a hard link to a finished file, so it never exists
 * without its owner's name in it. A lock whose owner is dead is taken away. Throws SessionFileError at the deadline.
 */
export async function withFileLock<T>(
  path: string,
  action: () => Promise<T>,
  options: FileLockOptions = {},
): Promise<T> {
  const owner: LockOwner = { ...(await ownIdentity()), token: randomUUID() };
  const candidate = `${path}.${owner.token}`;
  const deadline = performance.now() + (options.deadlineMs ?? 5000);
  await writeFile(candidate, JSON.stringify(owner), { mode: 0o600, flag: "wx" });
  try {
    while (!(await tryLink(candidate, path))) {
      const holder = await readOwner(path);
      if (performance.now() > deadline) throw lockHeld(path, holder);
      if (holder !== null && (await lifeOf(holder)) === "dead") await removeDeadLock(path, holder);
      else await delay(lookAgainMs);
    }
  } finally {
    await unlink(candidate);
  }
  try {
    return await action();
  } finally {
    // Only our own: a person may have deleted the lock, and somebody else taken it since.
    if ((await readOwner(path))?.token === owner.token) await unlinkIfThere(path);
  }
}

/**
 * Takes away the lock of a dead owner. Two waiters may come here at once, and the slower one must not remove the lock
 * that the faster one made in the meantime: only who can link the dead lock under the one name that belongs to its token
 * may remove it, and only if it was still that lock when the link was made.
 */
async function removeDeadLock(path: string, dead: LockOwner): Promise<void> {
  const grave = `${path}.dead-${dead.token}`;
  if (!(await tryLink(path, grave))) {
    await delay(lookAgainMs);
    return;
  }
  if ((await readOwner(grave))?.token === dead.token) await unlinkIfThere(path);
  await unlinkIfThere(grave);
}

async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    // ENOENT: the lock went away while we looked at it.
    if (code === "EEXIST" || code === "ENOENT") return false;
    throw error;
  }
}

async function unlinkIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
}

/** Null when there is no lock, or one that Talaria did not write. */
async function readOwner(path: string): Promise<LockOwner | null> {
  try {
    const value: unknown = JSON.parse((await readLockFile(path)) ?? "null");
    return isOwner(value) ? value : null;
  } catch {
    return null;
  }
}

function isOwner(value: unknown): value is LockOwner {
  if (typeof value !== "object" || value === null) return false;
  const { host, pid, startTime, token } = value as Record<string, unknown>;
  return (
    typeof host === "string" &&
    typeof pid === "number" &&
    Number.isInteger(pid) &&
    pid > 0 &&
    (startTime === null || typeof startTime === "string") &&
    typeof token === "string" &&
    /^[A-Za-z0-9-]+$/.test(token)
  );
}

function lockHeld(path: string, holder: LockOwner | null): SessionFileError {
  const who = holder === null ? "somebody who left no name" : `process ${holder.pid} on ${holder.host}`;
  return new SessionFileError(`The session file could not be written: ${who} holds its lock ${path}.`, {
    operation: "session.save",
    hint: "Try again. If that process has nothing to do with Talaria any more, delete the lock file.",
  });
}
