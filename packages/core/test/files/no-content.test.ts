import { expect, it } from "vitest";
import { contentBytes } from "../../src/files/content-bytes.js";
import type { FileShell } from "../../src/files/file-shell.js";

it.each([null, undefined, 5, {}, [65]])(
  "what is no text and no bytes is not written: %j",
  async (content) => {
    await expect(contentBytes({} as FileShell, "x", content as never, {})).rejects.toMatchObject({
      code: "invalid_argument",
    });
  },
);

it("bytes are written as they are", async () => {
  const bytes = Uint8Array.of(255, 0);
  await expect(contentBytes({} as FileShell, "x", bytes, {})).resolves.toBe(bytes);
});
