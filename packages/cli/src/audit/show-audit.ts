import { InvalidArgumentError, readAudit, talariaHomePath, verifyAudit, type AuditKind } from "@talaria/core";
import { failure, success } from "../exit-status.js";
import { formatDocument, formatEvent } from "../output/json-document.js";
import { Cancellation } from "../program/cancellation.js";
import type { Invocation } from "../program/invocation.js";
import { entryLine } from "./entry-line.js";

export interface AuditOptions {
  readonly follow?: true;
  readonly since?: Date;
  readonly session?: string;
  readonly kind?: AuditKind;
  readonly limit?: number;
  readonly verify?: true;
  readonly json?: true;
}

const usualLimit = 100;
/** A document is made in memory: it must not hold a whole audit. */
const sinceLimit = 10_000;

/** Prints entries of the audit, the oldest first; with `follow` until a signal ends it. */
export async function showAudit(invocation: Invocation, options: AuditOptions): Promise<number> {
  if (options.verify) return verify(invocation, options);
  const { stdout, messages, style } = invocation;
  const { follow, since, session, kind, json } = options;
  const limit = options.limit ?? (since === undefined ? usualLimit : sinceLimit);
  const cancellation = new Cancellation();
  cancellation.watchReader(stdout);
  try {
    const { signal } = cancellation;
    const entries: object[] = [];
    let count = 0;
    for await (const entry of readAudit({
      talariaHome: talariaHomePath(),
      since,
      session,
      kind,
      limit,
      follow,
      signal,
    })) {
      count += 1;
      if (json && !follow) entries.push(entry);
      else await stdout.write(json ? formatEvent(entry) : `${entryLine(entry, style)}\n`);
    }
    if (cancellation.status !== undefined) return cancellation.status;
    if (json && !follow) await stdout.write(formatDocument({ entries }));
    else if (count === 0) messages.note("the audit has no such entries");
    return success;
  } finally {
    cancellation.dispose();
  }
}

async function verify(
  { stdout, messages }: Invocation,
  { json, follow, since, session, kind, limit }: AuditOptions,
): Promise<number> {
  if ([follow, since, session, kind, limit].some((option) => option !== undefined)) {
    throw new InvalidArgumentError(
      "verify",
      "--verify looks at the whole audit, and takes no other option but --json",
      {
        operation: "audit",
        hint: "leave the others out: talaria audit --verify",
      },
    );
  }
  const { entries, problems } = await verifyAudit(talariaHomePath());
  if (json) await stdout.write(formatDocument({ ok: problems.length === 0, entries, problems }));
  else for (const problem of problems) stdout.line(problem);
  if (!json && problems.length === 0)
    messages.note(`${entries.toLocaleString("en-US")} entries, none changed or taken out`);
  return problems.length === 0 ? success : failure;
}
