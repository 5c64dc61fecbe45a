import { UnsupportedCapabilityError } from "../errors/errors.js";
import type { FileShell } from "./file-shell.js";
import type { SearchOptions, SearchResult } from "./search-result.js";

/** Being written by SEARCH: replace this. */
export function searchFiles(shell: FileShell, pattern: string, _: SearchOptions): Promise<SearchResult> {
  return Promise.reject(
    new UnsupportedCapabilityError("search", `No search for ${pattern} yet.`, { backend: shell.access.backend }),
  );
}
