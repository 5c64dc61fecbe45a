import type { SandboxRecord } from "@talaria/core";
import { failure, success } from "../exit-status.js";
import { formatDocument } from "../output/json-document.js";
import { formatTable } from "../output/table.js";
import type { Invocation } from "../program/invocation.js";
import { backendsToAsk } from "./listing-backends.js";

/** Prints the sandboxes there are. Status 1 when a backend could not be asked. */
export async function listSandboxes(
  { stdout, messages }: Invocation,
  name: string | undefined,
  json: boolean,
): Promise<number> {
  const { asked, silent } = await backendsToAsk(name);
  const sandboxes: (SandboxRecord & { readonly backend: string })[] = [];
  const failures: { readonly backend: string; readonly reason: string }[] = [];
  for (const { name: backend, provider, backendConfig } of asked) {
    try {
      const records = (await provider.listSandboxes?.({ backendConfig })) ?? [];
      sandboxes.push(...records.map((record) => ({ ...record, backend })));
    } catch (error) {
      failures.push({ backend, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  if (json) {
    await stdout.write(formatDocument({ sandboxes, silent, failures }));
  } else {
    const rows = sandboxes.map(({ backend, id, state, lease, owner, createdAt, taskId }) => [
      backend,
      id,
      state,
      lease,
      owner,
      createdAt ?? "-",
      taskId ?? "-",
    ]);
    if (rows.length > 0) {
      const head = ["backend", "sandbox", "state", "lease", "owner", "created", "task"];
      for (const line of formatTable([head, ...rows])) stdout.line(line);
    } else {
      messages.note("there are no sandboxes");
    }
    for (const { name: backend, reason } of silent) messages.note(`${backend}: ${reason}`);
  }
  for (const { backend, reason } of failures) messages.problem(`${backend} could not be asked: ${reason}`);
  return failures.length === 0 ? success : failure;
}
