import { RegistrationError } from "../errors/errors.js";
import { describeValue } from "./describe-value.js";
import { TerminalEnvironmentProvider } from "./provider.js";

/** Reads the members of one provider, each once and guarded, and words what is wrong with them. */
export class FlagReader {
  readonly #provider: object;
  readonly #packageName: string | undefined;
  #name: string | undefined;

  constructor(provider: object, packageName?: string) {
    this.#provider = provider;
    this.#packageName = packageName;
  }

  /** Makes later error texts name the backend. */
  nameIs(name: string): void {
    this.#name = name;
  }

  /** True when the provider, or a class between it and the base, says something of its own about the member. */
  overrides(member: string): boolean {
    let holder: object | null = this.#provider;
    while (holder !== null && holder !== TerminalEnvironmentProvider.prototype) {
      if (Object.hasOwn(holder, member)) return true;
      holder = Reflect.getPrototypeOf(holder);
    }
    return false;
  }

  /** The member's value; `fallback` when a provider made for another core does not have the member at all. */
  read(member: string, fallback?: unknown): unknown {
    let present: boolean;
    let value: unknown;
    try {
      present = member in this.#provider;
      value = present ? Reflect.get(this.#provider, member) : fallback;
    } catch (error) {
      throw this.error(
        `its flag "${member}" threw while being read: ${error instanceof Error ? error.message : String(error)}`,
        `Make the getter of "${member}" return a plain value; it is read once, at registration, before anything is set up.`,
        error,
      );
    }
    return value;
  }

  boolean(member: string, fallback: boolean): boolean {
    const value = this.read(member, fallback);
    return typeof value === "boolean" ? value : this.refuse(member, "true or false", value);
  }

  /** One line of text without control characters. */
  line(member: string, fallback: string): string {
    const value = this.read(member, fallback);
    if (typeof value !== "string") return this.refuse(member, "a text", value);
    if (/\p{Cc}/u.test(value)) {
      return this.refuse(member, "one line of text without control characters", value);
    }
    return value;
  }

  /** A list of texts, copied so that the provider cannot change it afterwards. */
  texts(member: string, fallback: readonly string[]): readonly string[] {
    const value = this.read(member, fallback);
    if (!Array.isArray(value)) return this.refuse(member, "a list of texts", value);
    return Array.from(value, (item: unknown, index) =>
      typeof item === "string" ? item : this.refuse(`${member}[${index}]`, "a text", item),
    );
  }

  method(member: string, isRequired: boolean): void {
    const value = this.read(member);
    if (value === undefined && !isRequired) return;
    if (typeof value !== "function") this.refuse(member, "a method", value);
  }

  /** Throws: the member has the wrong type or content. */
  refuse(member: string, expected: string, value: unknown): never {
    throw this.error(
      `its flag "${member}" must be ${expected}, but is ${describeValue(value)}`,
      `Correct "${member}" in the provider. Nothing is assumed in its place.`,
    );
  }

  error(problem: string, hint: string, cause?: unknown): RegistrationError {
    const who = this.#name === undefined ? "A provider" : `The provider "${this.#name}"`;
    const from = this.#packageName === undefined ? "" : ` of ${this.#packageName}`;
    return new RegistrationError(`${who}${from} was refused: ${problem}.`, {
      backend: this.#name,
      operation: "register",
      hint,
      cause,
    });
  }
}
