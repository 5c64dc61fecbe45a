import { isDeepStrictEqual } from "node:util";
import { TalariaError, type CommandResult, type KillReport } from "@talaria/core";
import { describeBytesDifference, show, showResult } from "./failure-text.js";

/** A case did not find what it holds. The text says what was looked at, what was expected and what was there. */
export class CheckFailedError extends Error {
  override readonly name = "CheckFailedError";
}

/** The suite's own assertions: no test framework is needed to run it. Counts them, so that none can pass by saying nothing. */
export class Check {
  /** Assertions made so far. */
  count = 0;

  /** Fails with the sentence given. */
  fail(message: string): never {
    throw new CheckFailedError(message);
  }

  that(condition: boolean, message: string): void {
    this.count += 1;
    if (!condition) this.fail(message);
  }

  /** Deep equality. */
  equal<T>(actual: T, expected: T, what: string): void {
    this.that(
      isDeepStrictEqual(actual, expected),
      `${what}: expected ${show(expected)}, got ${show(actual)}`,
    );
  }

  oneOf<T>(actual: T, expected: readonly T[], what: string): void {
    this.that(
      expected.includes(actual),
      `${what}: expected one of ${expected.map(show).join(", ")}, got ${show(actual)}`,
    );
  }

  includes(text: string, part: string, what: string): void {
    this.that(text.includes(part), `${what}: expected ${show(part)} in it, got ${show(text)}`);
  }

  excludes(text: string, part: string, what: string): void {
    this.that(!text.includes(part), `${what}: expected no ${show(part)} in it, got ${show(text)}`);
  }

  bytes(actual: Uint8Array, expected: Uint8Array, what: string): void {
    const difference = describeBytesDifference(actual, expected);
    this.that(difference === null, `${what}: ${difference ?? ""}`);
  }

  atMost(actual: number, limit: number, what: string): void {
    this.that(actual <= limit, `${what}: expected at most ${limit}, got ${actual}`);
  }

  atLeast(actual: number, limit: number, what: string): void {
    this.that(actual >= limit, `${what}: expected at least ${limit}, got ${actual}`);
  }

  /** The value, or a failure if there is none. */
  present<T>(value: T | null | undefined, what: string): T {
    this.count += 1;
    if (value === null || value === undefined)
      return this.fail(`${what}: expected to be there, got ${show(value)}`);
    return value;
  }

  /** The command was seen to exit with this status, and the agent's number says the same. */
  exited(result: CommandResult, code: number, what = "the command"): void {
    this.that(
      result.outcome.kind === "exited" && result.outcome.code === code && result.exitCode === code,
      `${what}: expected exited with ${code}, got ${showResult(result)}`,
    );
  }

  /** The command exited, with any status but 0. */
  exitedNonZero(result: CommandResult, what = "the command"): void {
    this.that(
      result.outcome.kind === "exited" &&
        result.outcome.code !== 0 &&
        result.exitCode === result.outcome.code,
      `${what}: expected exited with a status other than 0, got ${showResult(result)}`,
    );
  }

  /** The command exited with 0 and this output. */
  printed(result: CommandResult, output: string, what = "the command"): void {
    this.exited(result, 0, what);
    this.equal(result.output, output, `output of ${what}`);
  }

  timedOut(result: CommandResult, what = "the command"): KillReport {
    this.count += 1;
    if (result.outcome.kind === "timedOut" && result.exitCode === 124) return result.outcome;
    return this.fail(`${what}: expected timedOut with 124, got ${showResult(result)}`);
  }

  cancelled(result: CommandResult, what = "the command"): KillReport {
    this.count += 1;
    if (result.outcome.kind === "cancelled" && result.exitCode === 130) return result.outcome;
    return this.fail(`${what}: expected cancelled with 130, got ${showResult(result)}`);
  }

  /** The call was refused or failed with a TalariaError of one of these codes. */
  async rejects(
    call: Promise<unknown>,
    codes: string | readonly string[],
    what: string,
  ): Promise<TalariaError> {
    const wanted = typeof codes === "string" ? [codes] : codes;
    const reason = await this.rejected(call, what);
    if (!TalariaError.isInstance(reason)) {
      return this.fail(`${what}: expected a TalariaError (${wanted.join(" or ")}), got ${show(reason)}`);
    }
    this.oneOf(reason.code, wanted, `code of the error of ${what} ("${reason.message}")`);
    return reason;
  }

  /** The call failed, with whatever reason: it is returned. */
  async rejected(call: Promise<unknown>, what: string): Promise<unknown> {
    this.count += 1;
    let value: unknown;
    try {
      value = await call;
    } catch (error) {
      return error;
    }
    return this.fail(`${what}: expected an error, got ${show(value)}`);
  }
}
