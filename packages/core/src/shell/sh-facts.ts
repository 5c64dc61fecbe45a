import { EnvironmentConnectionError } from "../errors/errors.js";
import type { Spawn } from "./channel.js";
import { makeNonce } from "./request.js";

/** What a plain POSIX shell says of the sandbox. Paths in shell bytes. */
export interface ShFacts {
  /** Version of the bash on the PATH, as `4.1`; undefined when there is none. */
  readonly bashVersion: string | undefined;
  readonly cwd: string;
  readonly home: string;
  /** A private folder for files. */
  readonly temp: string;
}

const question = (nonce: string): string =>
  `b=$(bash -c 'echo "\${BASH_VERSINFO[0]}.\${BASH_VERSINFO[1]}"' 2>/dev/null); ` +
  `t=\${TMPDIR:-/tmp}/talaria-$(id -u 2>/dev/null); [ -d "$t" ] || (umask 077; mkdir "$t"); ` +
  `[ -d "$t" ] && [ ! -L "$t" ] && [ -O "$t" ] && [ -w "$t" ] || t=; ` +
  `printf '%s\\n' "${nonce}" "$b" "$PWD" ~ "$t" "${nonce}"`;

/** Asks `sh` once. Throws EnvironmentConnectionError when not even that can be had. */
export async function readShFacts(spawn: Spawn): Promise<ShFacts> {
  const nonce = makeNonce().toString("latin1").slice(1);
  const process = await spawn(["sh", "-c", question(nonce)], {});
  process.stdin.on("error", () => {});
  process.stdin.end();
  process.stderr.resume();
  let text = "";
  process.stdout.on("data", (bytes: Buffer) => (text += bytes.toString("latin1")));
  await new Promise<void>((resolve) => {
    process.stdout
      .once("end", resolve)
      .once("close", resolve)
      .once("error", () => resolve());
  });
  const [, bash = "", cwd = "/", home = "/", temp = ""] = (text.split(nonce)[1] ?? "").split("\n");
  if (!cwd.startsWith("/")) {
    throw new EnvironmentConnectionError("Neither bash nor sh answers in the sandbox.", {
      operation: "openChannel",
      retryHint: "Use an image that has a POSIX shell at /bin/sh, better one with bash 4.1 or newer.",
    });
  }
  if (temp === "") {
    throw new EnvironmentConnectionError("The sandbox has no place for private files: $TMPDIR or /tmp.", {
      operation: "openChannel",
      retryHint: "Make /tmp writable in the sandbox, or set TMPDIR to a folder that is.",
    });
  }
  return { bashVersion: bash === "" ? undefined : bash, cwd, home: home.startsWith("/") ? home : "/", temp };
}

/** Whether a bash of that version can be a channel: `read -N` came with 4.1. */
export function isBashUsable(version: string | undefined): boolean {
  if (version === undefined) return false;
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 4 || (major === 4 && minor >= 1);
}
