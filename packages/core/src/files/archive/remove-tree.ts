import { chmodSync, fchmodSync, lstatSync, readdirSync, rmdirSync, unlinkSync } from "node:fs";
import { HostDirectory, toFsPath } from "./host-directory.js";

/**
 * Removes a directory of ours with all that is in it, whatever its modes and names are. Follows no link. What is gone
 * already is no error.
 *
 * @param path bytes, one character each
 */
export function removeTree(path: string): void {
  const found = lstatSync(toFsPath(path), { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isDirectory()) {
    unlinkSync(toFsPath(path));
    return;
  }
  if ((found.mode & 0o700) !== 0o700) chmodSync(toFsPath(path), 0o700);
  const directory = HostDirectory.open(path);
  try {
    empty(directory);
  } finally {
    directory.close();
  }
  rmdirSync(toFsPath(path));
}

function empty(directory: HostDirectory): void {
  fchmodSync(directory.fd, 0o700);
  for (const name of readdirSync(directory.self, "latin1")) {
    const found = lstatSync(directory.at(name), { throwIfNoEntry: false });
    if (found?.isDirectory() !== true) {
      unlinkSync(directory.at(name));
      continue;
    }
    if ((found.mode & 0o700) !== 0o700) chmodSync(directory.at(name), 0o700);
    const child = directory.openChild(name);
    try {
      empty(child);
    } finally {
      child.close();
    }
    rmdirSync(directory.at(name));
  }
}
