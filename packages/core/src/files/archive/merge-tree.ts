import { chmodSync, lstatSync, readdirSync, renameSync, rmdirSync } from "node:fs";
import { FileError } from "../../errors/errors.js";
import { fromShellBytes } from "../../shell/shell-bytes.js";
import { showName } from "./archive-error.js";
import type { HostDirectory } from "./host-directory.js";

/**
 * Moves what is in one directory into another one of the same file system, entry by entry: each is there whole or not
 * at all. Directories that both have are gone through and keep their mode. Everything is looked at before anything is
 * moved, so a conflict changes nothing. Throws FileError: `exists`, `is_directory`, `not_directory`, `refused`.
 *
 * @param skip a name at the top of `to` that is no part of either
 */
export function mergeTree(from: HostDirectory, to: HostDirectory, overwrite: boolean): void {
  check(from, to, "", overwrite);
  move(from, to);
}

function check(from: HostDirectory, to: HostDirectory, path: string, overwrite: boolean): void {
  for (const name of readdirSync(from.self, "latin1")) {
    const there = lstatSync(to.at(name), { throwIfNoEntry: false });
    if (there === undefined) continue;
    const child = path === "" ? name : `${path}/${name}`;
    const isDirectory = lstatSync(from.at(name)).isDirectory();
    if (!isDirectory && there.isDirectory()) {
      throw conflict(child, "is_directory", "is a directory there and a file here");
    }
    if (!isDirectory && !overwrite) throw conflict(child, "exists", "is there already");
    if (!isDirectory) continue;
    if (there.isSymbolicLink()) {
      throw conflict(child, "refused", "is a link there, and nothing is written through links");
    }
    if (!there.isDirectory()) throw conflict(child, "not_directory", "is a file there and a directory here");
    withBoth(from, to, name, (one, other) => check(one, other, child, overwrite));
  }
}

function move(from: HostDirectory, to: HostDirectory): void {
  for (const name of readdirSync(from.self, "latin1")) {
    const found = lstatSync(from.at(name));
    const isShared =
      found.isDirectory() && lstatSync(to.at(name), { throwIfNoEntry: false })?.isDirectory() === true;
    if (isShared) {
      withBoth(from, to, name, move);
      rmdirSync(from.at(name));
      continue;
    }
    // A directory that changes its parent has to be writable: its `..` is rewritten.
    const isLocked = found.isDirectory() && (found.mode & 0o200) === 0;
    if (isLocked) chmodSync(from.at(name), (found.mode & 0o777) | 0o200);
    renameSync(from.at(name), to.at(name));
    if (isLocked) chmodSync(to.at(name), found.mode & 0o777);
  }
}

function withBoth(
  from: HostDirectory,
  to: HostDirectory,
  name: string,
  then: (from: HostDirectory, to: HostDirectory) => void,
): void {
  // What was read-only in the archive is ours until it has been moved.
  const { mode } = lstatSync(from.at(name));
  if ((mode & 0o700) !== 0o700) chmodSync(from.at(name), (mode & 0o777) | 0o700);
  const one = from.openChild(name);
  try {
    const other = to.openChild(name);
    try {
      then(one, other);
    } finally {
      other.close();
    }
  } finally {
    one.close();
  }
}

function conflict(
  path: string,
  reason: "exists" | "is_directory" | "not_directory" | "refused",
  problem: string,
): FileError {
  return new FileError(fromShellBytes(path), reason, `Nothing was changed: ${showName(path)} ${problem}.`, {
    operation: "download",
    hint: "Choose an empty target, move what is there away, or leave it out by `exclude`.",
  });
}
