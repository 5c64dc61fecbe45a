import { TalariaError } from "../errors/talaria-error.js";

/** What the caller of `execute` gets when its own output callback or stdin source has failed. */
export function callerError(error: unknown): Error {
  if (TalariaError.isInstance(error)) return error;
  const text = error instanceof Error ? error.message : String(error);
  return new TalariaError(
    "caller_failed",
    `The command was ended because the caller's callback or stdin failed: ${text}`,
    {
      operation: "execute",
      cause: error,
    },
  );
}
