import { failure, success } from "../exit-status.js";
import { formatDocument } from "../output/json-document.js";
import { pathMember, visiblePath } from "../output/path-text.js";
import { inSession } from "../program/in-session.js";
import type { Invocation } from "../program/invocation.js";
import { eachOf } from "../program/each-of.js";
import type { ChangeOptions } from "./file-options.js";

export interface MakeOptions extends ChangeOptions {
  readonly parents?: true;
  readonly mode?: number;
}

/** Makes directories. Status 1 when one could not be made. */
export async function makeDirectories(
  invocation: Invocation,
  paths: readonly string[],
  options: MakeOptions,
): Promise<number> {
  const { stdout, messages } = invocation;
  const { parents, mode, allowSensitive } = options;
  return inSession(invocation, options, async (session, { signal }) => {
    const { done, failures } = await eachOf(messages, paths, signal, (path) =>
      session.files.mkdir(path, { parents: parents === true, mode, allowSensitive, signal }),
    );
    if (options.json) {
      await stdout.write(
        formatDocument({ made: done.map(({ result }) => pathMember("path", result)), failures }),
      );
    }
    for (const { result } of done) messages.detail(`made ${visiblePath(result)}`);
    return failures.length === 0 ? success : failure;
  });
}
