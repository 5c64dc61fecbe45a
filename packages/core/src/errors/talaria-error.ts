/** Facts that every Talaria error can carry besides its text. */
export interface TalariaErrorDetails {
  /** The backend concerned, as in `terminal.backend`. */
  readonly backend?: string | undefined;
  /** What was being done: `execute`, `createEnvironment`, `config.load` … */
  readonly operation?: string | undefined;
  /** What the reader can do about it. Shown on its own line. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

const marker = Symbol.for("talaria.error");

/**
 * Base of all errors that Talaria throws on purpose. The text says what happened, why, and names the key or variable
 * concerned; `hint` says what to do. `code` is stable across versions: match on it, not on the text.
 */
export class TalariaError extends Error {
  readonly code: string;
  readonly backend: string | undefined;
  readonly operation: string | undefined;
  readonly hint: string | undefined;

  constructor(code: string, message: string, details: TalariaErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.name;
    this.code = code;
    this.backend = details.backend;
    this.operation = details.operation;
    this.hint = details.hint;
    Object.defineProperty(this, marker, { value: true });
  }

  /** Works across two copies of the package, where `instanceof` does not. */
  static isInstance(value: unknown): value is TalariaError {
    return typeof value === "object" && value !== null && marker in value;
  }
}
