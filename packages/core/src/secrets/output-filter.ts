import { disguisesOf } from "./disguises.js";
import { judgeSecrets } from "./judge-secret.js";
import { NeedleSearch } from "./needle-search.js";
import { TokenStream } from "./pattern-redactor.js";
import type { KnownSecret, RedactionRules } from "./redaction-rules.js";
import { StreamRedactor, type ByteFilter } from "./stream-redactor.js";

/**
 * What has been made of rules, for as long as they live: a session gives the same ones with every command. Nothing of it
 * differs from one caller to another.
 */
const searches = new WeakMap<readonly KnownSecret[], NeedleSearch | null>();

/** The search for known secrets, null when there is nothing to look for. */
export function searchFor(values: readonly KnownSecret[]): NeedleSearch | null {
  const found = searches.get(values);
  if (found !== undefined) return found;
  const needles = judgeSecrets(values).used.flatMap(({ name, value }) => disguisesOf(name, value));
  const search = needles.length === 0 ? null : new NeedleSearch(needles);
  searches.set(values, search);
  return search;
}

/** A filter for one stream of output, or undefined when nothing is to be taken out of it. */
export function outputFilter(rules: RedactionRules | undefined): ByteFilter | undefined {
  if (rules === undefined) return undefined;
  const search = searchFor(rules.values);
  const values = search === null ? undefined : new StreamRedactor(search);
  if (!rules.patterns) return values;
  const tokens = new TokenStream();
  return values === undefined ? tokens : chained(values, tokens);
}

/** The whole of an output that is all there. */
export function filteredOutput(bytes: Buffer, rules: RedactionRules | undefined): Buffer {
  const filter = outputFilter(rules);
  return filter === undefined ? bytes : Buffer.concat([...filter.push(bytes), ...filter.flush()]);
}

function chained(first: ByteFilter, second: ByteFilter): ByteFilter {
  return {
    push: (bytes) => first.push(bytes).flatMap((piece) => second.push(piece)),
    flush: () => [...first.flush().flatMap((piece) => second.push(piece)), ...second.flush()],
  };
}
