import type { CollectReport } from "@talaria/core";
import { failure, success } from "../exit-status.js";
import { formatDocument } from "../output/json-document.js";
import type { Invocation } from "../program/invocation.js";
import { backendsToAsk } from "./listing-backends.js";

/** Frees abandoned sandboxes. Status 1 when one of them could not be freed, or a backend not be asked. */
export async function collectSandboxes(
  { stdout, messages }: Invocation,
  name: string | undefined,
  dryRun: boolean,
  json: boolean,
): Promise<number> {
  const { asked, silent } = await backendsToAsk(name);
  const reports: (CollectReport & { readonly backend: string })[] = [];
  const failures: { readonly backend: string; readonly reason: string }[] = [];
  for (const { name: backend, provider, backendConfig } of asked) {
    if (provider.collectSandboxes === undefined) {
      failures.push({ backend, reason: "it lists sandboxes and cannot free them" });
      continue;
    }
    try {
      reports.push({ backend, ...(await provider.collectSandboxes({ backendConfig, dryRun })) });
    } catch (error) {
      failures.push({ backend, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  if (json) {
    await stdout.write(formatDocument({ dryRun, reports, silent, failures }));
  } else {
    for (const { backend, removed, kept } of reports) {
      for (const { id, owner } of removed) {
        stdout.line(`${backend} ${id}: ${dryRun ? "would be freed" : "freed"} (owner ${owner})`);
      }
      messages.note(`${backend}: ${removed.length} ${dryRun ? "to free" : "freed"}, ${kept.length} kept`);
    }
    for (const { name: backend, reason } of silent) messages.note(`${backend}: ${reason}`);
  }
  for (const { backend, failed } of reports) {
    for (const { sandbox, reason } of failed)
      messages.problem(`${backend} ${sandbox.id} was not freed: ${reason}`);
  }
  for (const { backend, reason } of failures) messages.problem(`${backend} could not be asked: ${reason}`);
  return failures.length === 0 && reports.every(({ failed }) => failed.length === 0) ? success : failure;
}
