import { judgeSecrets, type UnusedSecret } from "./judge-secret.js";
import { outputFilter, searchFor } from "./output-filter.js";
import { PatternRedactor } from "./pattern-redactor.js";
import type { KnownSecret, OutputRedaction, RedactionRules } from "./redaction-rules.js";
import { StreamRedactor, type ByteFilter } from "./stream-redactor.js";
import { redactTelling } from "./token-patterns.js";

/** Longest chain of causes that is followed. */
const deepestCause = 8;

/** Words of our own or the system's, by which errors are told apart. */
const plainMembers: ReadonlySet<string> = new Set([
  "name",
  "code",
  "errno",
  "syscall",
  "reason",
  "backend",
  "operation",
]);

/** Takes secrets out of what is shown, logged, thrown or kept. */
export class Redactor {
  /** Secrets that cannot be looked for, because their value would be found everywhere. */
  readonly unused: readonly UnusedSecret[];
  readonly #values: readonly KnownSecret[];
  readonly #rules: ReadonlyMap<OutputRedaction, RedactionRules>;

  constructor(secrets: readonly KnownSecret[] = []) {
    const { used, unused } = judgeSecrets(secrets);
    this.unused = unused;
    this.#values = Object.freeze(used);
    // Made once: environments keep what they make of rules by identity.
    this.#rules = new Map<OutputRedaction, RedactionRules>([
      ["values", Object.freeze({ values: this.#values, patterns: false })],
      ["patterns", Object.freeze({ values: this.#values, patterns: true })],
    ]);
  }

  /** What `EnvironmentExecuteOptions.redact` is given; undefined when nothing is to be done to output. */
  outputRules(mode: OutputRedaction): RedactionRules | undefined {
    if (mode === "values" && this.#values.length === 0) return undefined;
    return this.#rules.get(mode);
  }

  /** A filter for one stream of bytes; undefined when nothing is to be done to it. */
  outputFilter(mode: OutputRedaction): ByteFilter | undefined {
    return outputFilter(this.outputRules(mode));
  }

  /** Text for a log, an error, the audit: without known secrets, and without what looks like one. Nothing else changes. */
  redact(text: string): string {
    if (text === "") return text;
    return new PatternRedactor(redactTelling).take(this.redactKnown(text));
  }

  /** Only without known secrets: for text that a program is going to read. */
  redactKnown(text: string): string {
    const search = searchFor(this.#values);
    if (search === null) return text;
    const bytes = Buffer.from(text, "utf8");
    if (search.find(bytes, 0, bytes.length) === undefined) return text;
    const stream = new StreamRedactor(search);
    return Buffer.concat([...stream.push(bytes), ...stream.flush()]).toString("utf8");
  }

  /** Whether a known secret is in the text, in any disguise. */
  holdsSecret(text: string): boolean {
    const search = searchFor(this.#values);
    if (search === null) return false;
    const bytes = Buffer.from(text, "utf8");
    return search.find(bytes, 0, bytes.length) !== undefined;
  }

  /** Plain data with every text in it redacted, names of members too. */
  redactData(value: unknown): unknown {
    if (typeof value === "string") return this.redact(value);
    if (Array.isArray(value)) return value.map((item) => this.redactData(item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [this.redact(name), this.redactData(item)]),
    );
  }

  /**
   * Takes secrets out of an error and its causes: text, stack, hint, and what else it carries as text (a path, the name of
   * a program). In place, so that it stays the error it is; what cannot be changed (a frozen error) is left. Returns it.
   */
  redactError<T>(error: T): T {
    let current: unknown = error;
    for (let depth = 0; current instanceof Error && depth < deepestCause; depth++) {
      for (const member of new Set(["message", "stack", ...Object.getOwnPropertyNames(current)])) {
        if (!plainMembers.has(member)) this.#redactMember(current, member);
      }
      current = current.cause;
    }
    return error;
  }

  #redactMember(target: object, member: string): void {
    const text: unknown = Reflect.get(target, member);
    if (typeof text !== "string") return;
    const clean = this.redact(text);
    if (clean === text) return;
    const enumerable = Object.getOwnPropertyDescriptor(target, member)?.enumerable ?? false;
    Reflect.defineProperty(target, member, { value: clean, writable: true, configurable: true, enumerable });
  }
}
