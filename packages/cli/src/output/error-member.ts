import { TalariaError } from "@talaria/core";

/** An error as the `error` member of a document. */
export interface ErrorMember {
  /** Stable across versions; `internal` for what is not a TalariaError. */
  readonly code: string;
  readonly message: string;
  readonly hint: string | undefined;
  readonly backend: string | undefined;
  readonly operation: string | undefined;
}

export function errorMember(error: unknown): ErrorMember {
  if (TalariaError.isInstance(error)) {
    const { code, message, hint, backend, operation } = error;
    return { code, message, hint, backend, operation };
  }
  return {
    code: "internal",
    message: error instanceof Error ? error.message : String(error),
    hint: undefined,
    backend: undefined,
    operation: undefined,
  };
}
