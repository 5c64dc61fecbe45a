/** A secret whose text is known, and the name that stands in its place. */
export interface KnownSecret {
  /** Shown instead: `[redacted:NAME]`. The name of a variable or of a configuration key. */
  readonly name: string;
  readonly value: string;
}

/**
 * What is taken out of a command's output. Plain data: it can be handed to an environment in another process, and must
 * then be handed over as a secret itself. Give the same object for every command: what is made of it is kept by identity.
 */
export interface RedactionRules {
  /** Looked for in all their usual disguises. */
  readonly values: readonly KnownSecret[];
  /** Also what looks like a token, known or not. Holds back a line until it is complete. */
  readonly patterns: boolean;
}

/** What is done to the output of commands (`secrets.redact_output`). */
export type OutputRedaction = "values" | "patterns" | "off";
