import type { SessionUnderTest } from "./session-under-test.js";

/** Puts a text into a file of the sandbox, by a command: not by what is under test. */
export async function putText(session: SessionUnderTest, path: string, text: string): Promise<void> {
  const result = await session.execute(`printf '%s' "$TEXT" >"$FILE"`, { env: { TEXT: text, FILE: path } });
  result.orThrow();
}

/** Puts bytes into a file of the sandbox, by a command. */
export async function putBytes(session: SessionUnderTest, path: string, bytes: Uint8Array): Promise<void> {
  const octal = Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
  const result = await session.execute(`printf '${octal}' >"$FILE"`, { env: { FILE: path } });
  result.orThrow();
}

/** What a file of the sandbox holds, byte for byte. */
export async function bytesOf(session: SessionUnderTest, path: string): Promise<Uint8Array> {
  const result = await session.execute('cat <"$FILE"', { env: { FILE: path } });
  return result.orThrow().outputBytes;
}

/** What a file of the sandbox holds, as text. */
export async function textOf(session: SessionUnderTest, path: string): Promise<string> {
  return Buffer.from(await bytesOf(session, path)).toString("utf8");
}
