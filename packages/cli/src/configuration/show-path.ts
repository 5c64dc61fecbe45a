import { configPath } from "@talaria/core";
import { existsSync } from "node:fs";
import { success } from "../exit-status.js";
import { formatDocument } from "../output/json-document.js";
import type { Invocation } from "../program/invocation.js";

/** Prints the path of the user's file, whether or not it is there yet. */
export async function showPath({ stdout, messages }: Invocation, json: boolean): Promise<number> {
  const path = configPath();
  const exists = existsSync(path);
  if (json) {
    await stdout.write(formatDocument({ path, exists }));
  } else {
    stdout.line(path);
    if (!exists) messages.note("the file does not exist yet; talaria config set makes it");
  }
  return success;
}
