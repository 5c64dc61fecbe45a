import { UnsupportedCapabilityError } from "../errors/errors.js";
import type { FileShell } from "./file-shell.js";
import type { WatchEvent, WatchOptions } from "./watch-event.js";

/** Being written by SEARCH: replace this. */
export async function* watchFiles(shell: FileShell, path: string, _: WatchOptions): AsyncGenerator<WatchEvent, void, undefined> {
  await Promise.resolve();
  yield { kind: "overflow" };
  throw new UnsupportedCapabilityError("watch", `No watching of ${path} yet.`, { backend: shell.access.backend });
}
