import { TalariaError } from "../errors/talaria-error.js";

/** What a span says of an error. */
export interface ErrorFacts {
  readonly name: string;
  /** A Talaria error's `code`, else its class. */
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  readonly operation: string | undefined;
}

/** The facts of whatever was thrown, without secrets. */
export function errorFacts(error: unknown, redact: (text: string) => string): ErrorFacts {
  const isError = error instanceof Error;
  const name = isError ? error.name : typeof error;
  const isOurs = TalariaError.isInstance(error);
  return {
    name,
    type: isOurs ? error.code : name,
    message: redact(isError ? error.message : String(error)),
    stack: redact(isError ? (error.stack ?? "") : ""),
    operation: isOurs ? error.operation : undefined,
  };
}
