import type { ShellStateSnapshot } from "../shell/shell-state.js";
import { asSandboxPath } from "../workdir/paths.js";
import type { SessionRecord } from "./session-record.js";

/** Version of the format. A file with a higher one is refused. */
const schema = 1;

/** A parsed document, or why it is none. */
export type ParsedSession =
  | { readonly kind: "record"; readonly record: SessionRecord }
  | { readonly kind: "future"; readonly schema: number }
  | { readonly kind: "broken"; readonly reason: string };

/** The text of a session file. */
export function formatSession(record: SessionRecord): string {
  const { backend, sandboxId, generation, cwd, state } = record;
  return `${JSON.stringify({ schema, backend, sandbox: { id: sandboxId, generation }, cwd, state }, undefined, 2)}\n`;
}

/** Reads a session file's text. Every member is checked: what comes out can be imported into a shell. */
export function parseSession(text: string): ParsedSession {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return broken(`it is not JSON (${error instanceof Error ? error.message : String(error)})`);
  }
  if (!isObject(value)) return broken("it is not a JSON object");
  const found = value["schema"];
  if (typeof found !== "number" || !Number.isInteger(found) || found < 1) {
    return broken('its member "schema" is not a version number');
  }
  if (found > schema) return { kind: "future", schema: found };
  const { backend, sandbox, cwd, state } = value;
  if (typeof backend !== "string" || backend === "") return broken('its member "backend" is not a name');
  if (!isObject(sandbox)) return broken('its member "sandbox" is not an object');
  const { id, generation } = sandbox;
  if (typeof id !== "string" || id === "") return broken('its member "sandbox.id" is not a text');
  if (typeof generation !== "number" || !Number.isInteger(generation) || generation < 1) {
    return broken('its member "sandbox.generation" is not a whole number above 0');
  }
  if (cwd !== null && (typeof cwd !== "string" || !cwd.startsWith("/") || cwd.includes("\0"))) {
    return broken('its member "cwd" is neither an absolute path nor null');
  }
  const wrong = findWrongState(state);
  if (wrong !== undefined) return broken(`its member "${wrong}" is not what it should be`);
  return {
    kind: "record",
    record: {
      backend,
      sandboxId: id,
      generation,
      cwd: cwd === null ? null : asSandboxPath(cwd),
      state: state as ShellStateSnapshot,
    },
  };
}

/** Names the first member of the state that has the wrong shape. */
function findWrongState(state: unknown): string | undefined {
  if (!isObject(state)) return "state";
  const checks: readonly [name: string, isRight: (value: unknown, name: string) => boolean][] = [
    ["env", (value, name) => isVariableName(name) && (value === null || isBytes(value))],
    [
      "functions",
      (value) => isObject(value) && isBytes(value["body"]) && typeof value["exported"] === "boolean",
    ],
    ["aliases", isBytes],
    ["shopt", (value, name) => isOptionName(name) && typeof value === "boolean"],
    ["options", (value, name) => isOptionName(name) && typeof value === "boolean"],
  ];
  for (const [member, isRight] of checks) {
    const entries = state[member];
    if (!isObject(entries)) return `state.${member}`;
    const wrong = Object.entries(entries).find(
      ([name, value]) => !isBytes(name) || name === "" || !isRight(value, name),
    );
    if (wrong !== undefined) return `state.${member}.${wrong[0]}`;
  }
  const { umask } = state;
  return umask === null || (typeof umask === "string" && /^[0-7]{1,4}$/.test(umask))
    ? undefined
    : "state.umask";
}

/** One byte per character, and none of them NUL: what a shell can hold. */
function isBytes(value: unknown): boolean {
  return typeof value === "string" && /^[\u0001-\u00ff]*$/.test(value);
}

function isVariableName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

function isOptionName(name: string): boolean {
  return /^[a-z_0-9-]+$/.test(name);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function broken(reason: string): ParsedSession {
  return { kind: "broken", reason };
}
