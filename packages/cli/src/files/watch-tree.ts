import type { WatchEvent } from "@talaria/core";
import { success } from "../exit-status.js";
import { formatEvent } from "../output/json-document.js";
import { pathMember, visiblePath } from "../output/path-text.js";
import { inSession } from "../program/in-session.js";
import type { Invocation } from "../program/invocation.js";
import type { FileOptions } from "./file-options.js";

export interface WatchCliOptions extends FileOptions {
  readonly recursive: boolean;
  readonly pollMs?: number;
}

/** Prints what changes below a path, a line or a document each, until a signal ends it. */
export async function watchTree(
  invocation: Invocation,
  path: string | undefined,
  { recursive, pollMs, ...options }: WatchCliOptions,
): Promise<number> {
  const { stdout, messages } = invocation;
  return inSession(invocation, options, async (session, { signal }) => {
    for await (const event of session.files.watch(path ?? ".", { recursive, pollMs, signal })) {
      if (options.json) await stdout.write(formatEvent(eventMember(event)));
      else if (event.kind === "ready") messages.note(`watching (${event.method}); Ctrl-C ends it`);
      else await stdout.write(`${describe(event)}\n`);
    }
    signal.throwIfAborted();
    return success;
  });
}

function eventMember(event: WatchEvent): object {
  switch (event.kind) {
    case "ready":
    case "overflow":
      return event;
    case "renamed":
      return { kind: event.kind, ...pathMember("path", event.path), ...pathMember("from", event.from) };
    case "created":
    case "changed":
    case "removed":
      return { kind: event.kind, ...pathMember("path", event.path) };
  }
}

function describe(event: Exclude<WatchEvent, { readonly kind: "ready" }>): string {
  if (event.kind === "overflow") return "overflow  more happened than could be told: look anew";
  const name = visiblePath(event.path === "" ? "." : event.path);
  return event.kind === "renamed"
    ? `renamed   ${visiblePath(event.from)} -> ${name}`
    : `${event.kind.padEnd(8)}  ${name}`;
}
