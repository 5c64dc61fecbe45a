import { errorMember, type ErrorMember } from "../output/error-member.js";
import type { Messages } from "../output/messages.js";
import { isAbort } from "./in-session.js";

export interface EachOf<Result> {
  readonly done: readonly { readonly name: string; readonly result: Result }[];
  readonly failures: readonly { readonly name: string; readonly error: ErrorMember }[];
}

/**
 * Does one thing to each of several, one after the other. A failure is said on stderr and keeps none of the others from
 * its turn; a cancellation is thrown.
 */
export async function eachOf<Result>(
  messages: Messages,
  names: readonly string[],
  signal: AbortSignal,
  work: (name: string) => Promise<Result>,
): Promise<EachOf<Result>> {
  const done: { name: string; result: Result }[] = [];
  const failures: { name: string; error: ErrorMember }[] = [];
  for (const name of names) {
    try {
      done.push({ name, result: await work(name) });
    } catch (error) {
      if (isAbort(error, signal)) throw error;
      messages.error(error);
      failures.push({ name, error: errorMember(error) });
    }
  }
  return { done, failures };
}
