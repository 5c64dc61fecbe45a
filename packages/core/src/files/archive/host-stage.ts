import { randomBytes } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, renameSync } from "node:fs";
import { FileError } from "../../errors/errors.js";
import { fromShellBytes } from "../../shell/shell-bytes.js";
import { HostDirectory, toFsPath } from "./host-directory.js";
import { hostFileError } from "./host-file-error.js";
import { mergeTree } from "./merge-tree.js";
import { removeTree } from "./remove-tree.js";

/** Where something is put on this machine. Paths are bytes, one character each. */
export interface HostTarget {
  /** Of the directory that it will be in; exists. */
  readonly parent: string;
  readonly name: string;
  /** `merge`: a directory of that name is there, and the tree goes into it. */
  readonly state: "new" | "merge" | "replace";
}

/** A name for what is not yet whole. */
export function stageName(): string {
  return `.talaria-${randomBytes(8).toString("hex")}.part`;
}

export function hostTargetPath({ parent, name }: HostTarget): string {
  return parent.endsWith("/") ? `${parent}${name}` : `${parent}/${name}`;
}

/** A private directory beside a tree's target (or in it, where it exists), in which the tree grows out of sight. */
export class HostTreeStage {
  readonly path: string;
  readonly #target: HostTarget;

  constructor(target: HostTarget) {
    this.#target = target;
    const place = target.state === "merge" ? hostTargetPath(target) : target.parent;
    this.path = `${place}/${stageName()}`;
    try {
      mkdirSync(toFsPath(this.path), 0o700);
    } catch (error) {
      throw hostFileError(place, "download", error);
    }
  }

  /** Puts the whole tree in its place. */
  publish(topMode: number, overwrite: boolean): void {
    const target = hostTargetPath(this.#target);
    try {
      if (this.#target.state === "merge") {
        const [from, to] = [HostDirectory.open(this.path), HostDirectory.open(target)];
        try {
          mergeTree(from, to, overwrite);
        } finally {
          from.close();
          to.close();
        }
        removeTree(this.path);
        return;
      }
      // An empty directory that somebody made meanwhile would be replaced without a word.
      if (lstatSync(toFsPath(target), { throwIfNoEntry: false }) !== undefined) {
        throw appeared(target);
      }
      chmodSync(toFsPath(this.path), topMode);
      renameSync(toFsPath(this.path), toFsPath(target));
    } catch (error) {
      throw hostFileError(target, "download", error);
    }
  }

  /** Removes what is left of it. Does nothing after a `publish` that succeeded. Never throws: what went wrong before tells more. */
  remove(): void {
    try {
      removeTree(this.path);
    } catch {
      // Its name says whose it is, and that it is no whole tree.
    }
  }
}

function appeared(target: string): FileError {
  return new FileError(
    fromShellBytes(target),
    "changed",
    `Something of that name was made meanwhile on this machine.`,
    {
      operation: "download",
      hint: "It was left as it is. Look at it, and try again.",
    },
  );
}
