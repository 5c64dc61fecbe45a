import type { FileStat } from "@talaria/core";
import { pathMember } from "../output/path-text.js";

/** What the sandbox says of a file, as members of a document. Times in ISO 8601, permissions in octal. */
export function statMember({ linkTarget, mode, modifiedMs, ...facts }: Omit<FileStat, "path">): object {
  return {
    ...facts,
    mode: octal(mode),
    modified: new Date(modifiedMs).toISOString(),
    ...(linkTarget === undefined ? {} : pathMember("linkTarget", linkTarget)),
  };
}

/** `0644`, `4755`. */
export function octal(mode: number): string {
  return mode.toString(8).padStart(4, "0");
}

const letters: Readonly<Record<FileStat["type"], string>> = {
  file: "-",
  directory: "d",
  symlink: "l",
  fifo: "p",
  socket: "s",
  character_device: "c",
  block_device: "b",
  unknown: "?",
};

/** As `ls -l` shows kind and permissions: `drwxr-xr-x`. */
export function modeText(type: FileStat["type"], mode: number): string {
  const bits = "rwxrwxrwx";
  const plain = bits.split("").map((letter, index) => ((mode >> (8 - index)) & 1 ? letter : "-"));
  const special = (bit: number, at: number, letter: string): void => {
    if (mode & bit) plain[at] = plain[at] === "x" ? letter : letter.toUpperCase();
  };
  special(0o4000, 2, "s");
  special(0o2000, 5, "s");
  special(0o1000, 8, "t");
  return letters[type] + plain.join("");
}

/** A moment to the minute, as files are listed: `2026-12-01 08:30`, in local time. */
export function momentText(ms: number): string {
  const date = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
