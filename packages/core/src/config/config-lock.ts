import { randomUUID } from "node:crypto";
import { link, rename, rm, writeFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { ConfigError } from "../errors/errors.js";
import { readLockFile } from "./read-lock-file.js";

const waitMs = 10_000;
const retryMs = 20;

/**
 * Runs `edit` while no other process edits the same file: reading, changing and replacing it is one step, or one of
 * two edits would be lost. The lock is a file beside it that names its owner; a lock whose owner is gone is taken over.
 */
export async function withConfigLock<Result>(path: string, edit: () => Promise<Result>): Promise<Result> {
  const lock = `${path}.lock`;
  const mine = `${process.pid} ${randomUUID()}`;
  const deadline = performance.now() + waitMs;
  while (!(await acquire(lock, mine))) {
    await removeIfAbandoned(lock);
    if (performance.now() > deadline) {
      throw new ConfigError(`${path} is being edited by another process: ${lock} is there.`, {
        operation: "config.set",
        source: path,
        hint: `Try again. If no other Talaria runs, remove ${lock}.`,
      });
    }
    await delay(retryMs);
  }
  try {
    return await edit();
  } finally {
    await rm(lock, { force: true });
  }
}

/** The lock appears with its content in one step (a link), so that nobody reads one without an owner. */
async function acquire(lock: string, mine: string): Promise<boolean> {
  const candidate = `${lock}.${randomUUID()}`;
  await writeFile(candidate, mine, { mode: 0o600, flag: "wx" });
  try {
    await link(candidate, lock);
    return true;
  } catch (error) {
    if (typeof error === "object" && error !== null && "code" in error && error.code === "EEXIST")
      return false;
    throw error;
  } finally {
    await rm(candidate, { force: true });
  }
}

async function removeIfAbandoned(lock: string): Promise<void> {
  const owner = await readLockFile(lock);
  if (owner === undefined || isAlive(Number.parseInt(owner, 10))) return;
  // Taken aside first: between the look and the removal the lock may have become somebody else's.
  const aside = `${lock}.${randomUUID()}`;
  try {
    await rename(lock, aside);
  } catch {
    return;
  }
  if ((await readLockFile(aside)) !== owner) await link(aside, lock).catch(() => {});
  await rm(aside, { force: true });
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return typeof error === "object" && error !== null && "code" in error && error.code === "EPERM";
  }
}
