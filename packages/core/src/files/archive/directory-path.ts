import { lstatSync, mkdirSync } from "node:fs";
import type { HostDirectory } from "./host-directory.js";

/**
 * The directories from the top of a tree down to where the last member was: members of one directory follow each other,
 * so most need no directory opened. None of them is a link: each is opened as what it is.
 */
export class DirectoryPath {
  readonly #levels: { readonly name: string; readonly directory: HostDirectory }[];
  readonly #top: HostDirectory;

  constructor(top: HostDirectory) {
    this.#top = top;
    this.#levels = [];
  }

  /** The directory that these names lead to. Missing ones are made, private until their own member sets their mode. */
  enter(names: readonly string[], count: number, isMaking: boolean): HostDirectory {
    let depth = 0;
    while (depth < count && this.#levels[depth]?.name === names[depth]) depth += 1;
    if (this.#levels.length > depth && depth < count) this.#leave(depth);
    for (; depth < count; depth++) {
      const parent = this.#levels[depth - 1]?.directory ?? this.#top;
      const name = names[depth] ?? "";
      if (isMaking) makeMissing(parent, name);
      this.#levels.push({ name, directory: parent.openChild(name) });
    }
    return this.#levels[count - 1]?.directory ?? this.#top;
  }

  close(): void {
    this.#leave(0);
  }

  #leave(depth: number): void {
    for (const { directory } of this.#levels.splice(depth).reverse()) directory.close();
  }
}

function makeMissing(parent: HostDirectory, name: string): void {
  if (lstatSync(parent.at(name), { throwIfNoEntry: false }) === undefined) {
    mkdirSync(parent.at(name), 0o700);
  }
}
