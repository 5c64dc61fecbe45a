import { lstatSync, realpathSync, statSync } from "node:fs";
import { FileError, InvalidArgumentError } from "../../errors/errors.js";
import { fromShellBytes, toShellBytes } from "../../shell/shell-bytes.js";
import { showName } from "./archive-error.js";
import { toFsPath } from "./host-directory.js";
import { hostFileError } from "./host-file-error.js";
import { hostTargetPath, type HostTarget } from "./host-stage.js";

/** A path of this machine as bytes, one character each, absolute. Throws InvalidArgumentError for what is no path. */
export function hostPathBytes(path: string | Uint8Array, argument: string): string {
  const bytes =
    typeof path === "string"
      ? toShellBytes(path)
      : path instanceof Uint8Array
        ? Buffer.from(path.buffer, path.byteOffset, path.byteLength).toString("latin1")
        : "";
  if (bytes === "" || bytes.includes("\0")) {
    throw new InvalidArgumentError(argument, "The path on this machine is empty, or is none.", {
      operation: "transfer",
      hint: "Give a path as text, or as bytes where its name is not UTF-8.",
    });
  }
  return bytes.startsWith("/") ? bytes : `${toShellBytes(process.cwd())}/${bytes}`;
}

/** The last name of a path; empty for one that ends in `.`, `..` or is the root. */
export function lastName(path: string): string {
  const name = path.replace(/\/+$/, "").split("/").at(-1) ?? "";
  return name === "." || name === ".." ? "" : name;
}

/**
 * Where `cp -r` would put something: into a directory that exists, else under the new name. Links on the way are
 * followed; a link in the last place that leads to no directory is replaced, never written through.
 *
 * @param sourceName the source's own name; empty to put a tree's content straight into the target
 */
export function resolveHostTarget(
  path: string,
  sourceName: string,
  kind: "file" | "tree",
  overwrite: boolean,
): HostTarget {
  try {
    const isDirectory = statSync(toFsPath(path), { throwIfNoEntry: false })?.isDirectory() === true;
    if (isDirectory) {
      const directory = realpathSync(toFsPath(path), "latin1");
      if (kind === "tree" && sourceName === "") return { ...splitPath(directory), state: "merge" };
      if (sourceName === "") throw problem(path, "is_directory", "is a directory");
      return inDirectory({ parent: directory, name: sourceName }, kind, overwrite);
    }
    if (kind === "file" && path.endsWith("/")) throw problem(path, "not_directory", "is no directory");
    const { parent, name } = splitPath(path.replace(/\/+$/, ""));
    if (name === "." || name === "..") throw problem(path, "not_found", "does not exist");
    return inDirectory({ parent: realpathSync(toFsPath(parent), "latin1"), name }, kind, overwrite);
  } catch (error) {
    throw hostFileError(path, "download", error);
  }
}

function inDirectory(
  place: { readonly parent: string; readonly name: string },
  kind: "file" | "tree",
  overwrite: boolean,
): HostTarget {
  const path = hostTargetPath({ ...place, state: "new" });
  const there = lstatSync(toFsPath(path), { throwIfNoEntry: false });
  if (there === undefined) return { ...place, state: "new" };
  if (kind === "tree") {
    if (there.isDirectory()) return { ...place, state: "merge" };
    throw problem(path, "not_directory", "is there already and is no directory");
  }
  if (there.isDirectory()) throw problem(path, "is_directory", "is a directory");
  if (!overwrite) throw problem(path, "exists", "is there already, and `overwrite` is false");
  if (!there.isFile() && !there.isSymbolicLink()) {
    throw problem(path, "not_regular", "is neither a file nor a link");
  }
  return { ...place, state: "replace" };
}

function splitPath(path: string): { parent: string; name: string } {
  const slash = path.lastIndexOf("/");
  return { parent: slash <= 0 ? "/" : path.slice(0, slash), name: path.slice(slash + 1) };
}

function problem(path: string, reason: FileError["reason"], words: string): FileError {
  return new FileError(fromShellBytes(path), reason, `${showName(path)} on this machine ${words}.`, {
    operation: "download",
    hint: "Name another target. Nothing was changed.",
  });
}
