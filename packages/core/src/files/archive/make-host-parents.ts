import { mkdirSync } from "node:fs";
import { toFsPath } from "./host-directory.js";
import { hostFileError } from "./host-file-error.js";

/** Makes the missing directories above a path of this machine. @param path bytes, one character each */
export function makeHostParents(path: string): void {
  const parent = path.replace(/\/+$/, "").replace(/\/[^/]*$/, "");
  if (parent === "") return;
  try {
    mkdirSync(toFsPath(parent), { recursive: true });
  } catch (error) {
    throw hostFileError(parent, "download", error);
  }
}
