import { FileError } from "@talaria/core";
import type { Check } from "./check.js";

/** The call is refused as a matter of the file, for one reason; the error's text is returned. */
export async function refusedFor(
  check: Check,
  call: Promise<unknown>,
  reason: string,
  what: string,
): Promise<string> {
  const error = await check.rejects(call, "file", what);
  check.equal(error instanceof FileError ? error.reason : "none", reason, `reason of the error of ${what}`);
  return error.message;
}
