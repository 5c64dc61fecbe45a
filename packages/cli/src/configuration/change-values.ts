import {
  InvalidArgumentError,
  setConfigValue,
  showValue,
  unsetConfigValue,
  type ConfigEdit,
} from "@talaria/core";
import { success } from "../exit-status.js";
import { formatDocument } from "../output/json-document.js";
import type { Invocation } from "../program/invocation.js";
import { knownSchemas } from "./known-schemas.js";

/** Sets a value. Without one it is read from stdin, so that a secret need not stand in the command line. */
export async function setValue(
  invocation: Invocation,
  key: string,
  given: string | undefined,
  json: boolean,
): Promise<number> {
  const value = given ?? (await valueFromStdin(invocation, key));
  const edit = await setConfigValue(key, value, { schemas: await knownSchemas(key) });
  const said = edit.changed ? `${key} is now ${showValue(edit)}` : `${key} was ${showValue(edit)} already`;
  return report(invocation, edit, said, json);
}

/** Removes a value. That it was not there is no failure. */
export async function unsetValue(invocation: Invocation, key: string, json: boolean): Promise<number> {
  const edit = await unsetConfigValue(key, { schemas: await knownSchemas(key) });
  const said = edit.changed ? `${key} is no longer set` : `${key} was not set`;
  return report(invocation, edit, said, json);
}

async function valueFromStdin({ stdin }: Invocation, key: string): Promise<string> {
  if (stdin.isTTY) {
    throw new InvalidArgumentError("value", `there is no value for ${key}`, {
      operation: "config.set",
      hint: `give it after the key, or on stdin: talaria config set ${key} < file`,
    });
  }
  const pieces: Buffer[] = [];
  for await (const piece of stdin) pieces.push(piece as Buffer);
  return Buffer.concat(pieces)
    .toString("utf8")
    .replace(/\r?\n$/, "");
}

async function report(
  { stdout, messages }: Invocation,
  { path, key, value, isSecret, changed }: ConfigEdit,
  said: string,
  json: boolean,
): Promise<number> {
  if (json) {
    await stdout.write(
      formatDocument({ path, key, changed, ...(isSecret ? { isSecret } : { value: value ?? null }) }),
    );
  } else {
    messages.note(`${said} (${path})`);
  }
  return success;
}
