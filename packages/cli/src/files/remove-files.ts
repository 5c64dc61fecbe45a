import { failure, success } from "../exit-status.js";
import { formatDocument } from "../output/json-document.js";
import { visiblePath } from "../output/path-text.js";
import { inSession } from "../program/in-session.js";
import type { Invocation } from "../program/invocation.js";
import { eachOf } from "../program/each-of.js";
import type { ChangeOptions } from "./file-options.js";

export interface RemoveCliOptions extends ChangeOptions {
  readonly recursive?: true;
  readonly force?: true;
}

/** Removes files and directories. Status 1 when one could not be removed. */
export async function removeFiles(
  invocation: Invocation,
  paths: readonly string[],
  options: RemoveCliOptions,
): Promise<number> {
  const { stdout, messages } = invocation;
  const { recursive, force, allowSensitive } = options;
  return inSession(invocation, options, async (session, { signal }) => {
    const { done, failures } = await eachOf(messages, paths, signal, (path) =>
      session.files.remove(path, { recursive, ifExists: force, allowSensitive, signal }),
    );
    if (options.json) await stdout.write(formatDocument({ removed: done.map(({ name }) => name), failures }));
    for (const { name } of done) messages.detail(`removed ${visiblePath(name)}`);
    return failures.length === 0 ? success : failure;
  });
}
