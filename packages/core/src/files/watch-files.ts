import { EnvironmentConnectionError, FileError, UnsupportedCapabilityError } from "../errors/errors.js";
import { toShellBytes } from "../shell/shell-bytes.js";
import { wholeNumber } from "./check-number.js";
import type { FileShell } from "./file-shell.js";
import { statFile } from "./stat-file.js";
import { RunningScript } from "./transfer/running-script.js";
import type { WatchEvent, WatchOptions } from "./watch-event.js";
import { compareSnapshots, readSnapshot, type WatchSnapshot } from "./watch-snapshot.js";

const maxEntries = 100_000;
const maxListingBytes = 32 * 1024 * 1024;
/** What `readSnapshot` takes for a listing that was cut. */
const cutListing = "|";

/**
 * Tells what changes below a path. One process in the sandbox looks at the tree every `pollMs` and prints a listing only
 * when it is another than the last, so that an idle watch sends nothing. It ends with its standard input, too.
 */
export async function* watchFiles(
  shell: FileShell,
  asked: string,
  options: WatchOptions,
): AsyncGenerator<WatchEvent, void, undefined> {
  const { access } = shell;
  const { signal } = options;
  const pollMs = wholeNumber("pollMs", options.pollMs ?? 500, 10, 3_600_000);
  if (access.environment.spawn === undefined) {
    throw new UnsupportedCapabilityError(
      "watch",
      `"${access.backend}" cannot hold a process, so nothing can be watched there.`,
      { backend: access.backend, operation: "watch", hint: "List the directory again from time to time." },
    );
  }
  let running: RunningScript | undefined;
  try {
    const root = toShellBytes((await statFile(shell, asked, { signal })).path);
    const script = { text: watchText(root, pollMs, options.recursive ?? true), nonce: "" };
    running = await RunningScript.start(access, script, { operation: "watch", signal });
    let before: WatchSnapshot | undefined;
    let isReady = false;
    for await (const text of listings(running)) {
      const after = readSnapshot(text, root, maxEntries);
      if (!isReady) yield { kind: "ready", method: "poll" };
      isReady = true;
      if (after === undefined) yield { kind: "overflow" };
      else if (before !== undefined) yield* compareSnapshots(before, after);
      before = after;
    }
    signal?.throwIfAborted();
    const exit = await running.process.exit;
    if (exit.kind === "lost") {
      throw new EnvironmentConnectionError(`The sandbox was lost during the watch: ${exit.reason}`, {
        backend: access.backend,
        operation: "watch",
        retryHint: "Look at the tree and watch it anew.",
      });
    }
    throw new FileError(asked, "io", `Cannot watch ${JSON.stringify(asked)}: its process was ended.`, {
      backend: access.backend,
      operation: "watch",
      hint: "Look at the tree and watch it anew.",
    });
  } catch (error) {
    // To be aborted is how a watch ends.
    if (signal?.aborted !== true) throw error;
  } finally {
    await running?.stop();
  }
}

/** Each listing up to its NUL, one character a byte. Read as it is asked for: the process waits meanwhile. */
async function* listings({ process }: RunningScript): AsyncGenerator<string, void, undefined> {
  let pieces: Buffer[] = [];
  let kept = 0;
  const keep = (piece: Buffer): void => {
    // The script cuts its listings; a sandbox that does not run it so must not fill the memory. Cut, it is an overflow.
    const most = maxListingBytes + 1 - kept;
    if (most <= 0) return;
    pieces.push(piece.length > most ? piece.subarray(0, most) : piece);
    kept += piece.length;
  };
  for await (const piece of process.stdout as AsyncIterable<Buffer>) {
    let at = 0;
    for (let end = piece.indexOf(0); end >= 0; end = piece.indexOf(0, at)) {
      keep(piece.subarray(at, end));
      const text = kept > maxListingBytes ? cutListing : Buffer.concat(pieces).toString("latin1");
      pieces = [];
      kept = 0;
      at = end + 1;
      yield text;
    }
    if (at < piece.length) keep(piece.subarray(at));
  }
}

function watchText(root: string, pollMs: number, isRecursive: boolean): string {
  // Octal, because the words of a process are text, and a path need not be.
  const octal = Array.from(root, (byte) => `\\${byte.charCodeAt(0).toString(8).padStart(3, "0")}`).join("");
  const depth = isRecursive ? "" : "-maxdepth 1";
  // No path has two slashes in a row, so they end it: a shell's variable cannot hold a NUL.
  const mark = root.slice(root.lastIndexOf("/") + 1).replaceAll(/[^A-Za-z0-9._-]/g, "?");
  return [
    `# talaria-watch ${mark}`,
    `LC_ALL=C; export LC_ALL; p=$(printf '${octal}.'); p=\${p%.}; k= z=`,
    `trap 'kill $k $z 2>/dev/null; exit 0' TERM INT HUP`,
    `exec 3<&0; { cat <&3 >/dev/null; kill -TERM $$; } 2>/dev/null & k=$!`,
    `exec 3<&- </dev/null`,
    `if find / -maxdepth 0 -printf '' >/dev/null 2>&1; then`,
    `look() { find "$p" ${depth} -printf '%y|%D:%i|%m %s %T@|%C@|%p//'; }`,
    `elif stat -c %i / >/dev/null 2>&1; then`,
    `look() { find "$p" ${depth} -exec stat -c '%f|%d:%i|%s %y|%z|%n//' {} +; }`,
    `else look() { find "$p" ${depth} -exec stat -f '%Xp|%d:%i|%z %Fm|%Fc|%N//' {} +; }; fi`,
    `last=; while :; do`,
    `now=$(look 2>/dev/null | head -c ${maxListingBytes}; echo .); now=\${now%.}`,
    `[ "$now" = "$last" ] && [ -n "$last" ] || { [ -z "$now$last" ] || printf '%s\\0' "$now"; last=$now; }`,
    `sleep ${pollMs / 1000} 2>/dev/null & z=$!; wait $z || { sleep 1 & z=$!; wait $z; }`,
    `done`,
  ].join("\n");
}
