// @ts-check
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { BootstrapError } from "./bootstrap-error.mjs";

const retryMs = 100;

/**
 * Runs `work` while no other bootstrap of this checkout does. The lock is a file that names its owner; one whose owner
 * is gone is taken over.
 *
 * @param {string} root
 * @param {() => Promise<void>} work
 */
export async function withLock(root, work) {
  const file = path.join(root, ".bootstrap.lock");
  const own = owner(process.pid) ?? String(process.pid);
  let isWaiting = false;
  while (!acquire(file, own)) {
    const holder = readOrUndefined(file);
    if (holder !== undefined && !isAlive(holder)) takeAway(file, holder);
    else {
      if (!isWaiting)
        process.stderr.write("talaria: waiting for another start of this checkout to finish …\n");
      isWaiting = true;
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }
  // Also when a signal makes us exit in the middle.
  const release = () => {
    if (readOrUndefined(file) === own) rmSync(file, { force: true });
  };
  process.once("exit", release);
  try {
    await work();
  } finally {
    process.off("exit", release);
    release();
  }
}

/**
 * @param {string} file
 * @param {string} own
 * @returns {boolean}
 */
function acquire(file, own) {
  try {
    writeFileSync(file, own, { flag: "wx" });
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === "EEXIST") return false;
    if (code === "EACCES" || code === "EPERM" || code === "EROFS") {
      throw new BootstrapError(
        `this checkout has to be installed or built, but ${path.dirname(file)} cannot be written. ` +
          "Run the command once as the user who owns it.",
      );
    }
    throw error;
  }
}

/**
 * Removes a lock whose owner is gone; puts it back when somebody else was faster and it is theirs by now.
 *
 * @param {string} file
 * @param {string} holder
 */
function takeAway(file, holder) {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    if (readFileSync(aside, "utf8") !== holder) linkSync(aside, file);
  } catch {
    // Gone, or replaced already: the next round sees what stands there.
  }
  rmSync(aside, { force: true });
}

/**
 * @param {string} holder
 * @returns {boolean}
 */
function isAlive(holder) {
  const pid = Number.parseInt(holder, 10);
  // Being written this very moment.
  if (Number.isNaN(pid)) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) === "ESRCH") return false;
  }
  const now = owner(pid);
  return now === undefined || !holder.includes(" ") || now === holder;
}

/**
 * A pid and, where /proc tells, when it started: pids are used again.
 *
 * @param {number} pid
 * @returns {string | undefined}
 */
function owner(pid) {
  const stat = readOrUndefined(`/proc/${pid}/stat`);
  // The command name, in parentheses, may hold anything; the start time is the 20th field after it.
  const start = stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  return start === undefined ? undefined : `${pid} ${start}`;
}

/**
 * @param {string} file
 * @returns {string | undefined}
 */
function readOrUndefined(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/**
 * @param {unknown} error
 * @returns {unknown}
 */
function codeOf(error) {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
