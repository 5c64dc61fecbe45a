import { InvalidArgumentError } from "@talaria/core";
import type { Invocation } from "./invocation.js";

export interface ReadInputOptions {
  /** What is read, for the person who sits before a terminal that waits. */
  readonly what: string;
  readonly mostBytes: number;
  /** The error for more than that. */
  readonly tooLarge: () => Error;
}

/** All of stdin, up to a limit. Throws InvalidArgumentError when it is a terminal: nothing says that it is being read. */
export async function readInput(
  { stdin }: Invocation,
  { what, mostBytes, tooLarge }: ReadInputOptions,
): Promise<Buffer> {
  if (stdin.isTTY) {
    throw new InvalidArgumentError("stdin", `${what} is read from stdin, which is a terminal`, {
      hint: "redirect a file into it, or pipe a command: … < file",
    });
  }
  const pieces: Buffer[] = [];
  let total = 0;
  for await (const piece of stdin) {
    const bytes = piece as Buffer;
    total += bytes.byteLength;
    if (total > mostBytes) throw tooLarge();
    pieces.push(bytes);
  }
  return Buffer.concat(pieces);
}
