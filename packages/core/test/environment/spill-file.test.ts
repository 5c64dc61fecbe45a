import { createWriteStream } from "node:fs";
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { readSpill, searchSpill, SpillWriter, type SpillHandle } from "../../src/environment/spill-file.js";
import { TalariaError } from "../../src/errors/talaria-error.js";

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "talaria-spill-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
});

async function spill(
  pieces: readonly string[],
  maxBytes?: number,
  directory = join(root, "out"),
): Promise<SpillHandle> {
  const writer = new SpillWriter(directory, maxBytes);
  for (const piece of pieces) await writer.write(Buffer.from(piece));
  const handle = await writer.finish();
  if (handle === undefined) throw new Error(writer.problem ?? "nothing was kept, and no reason given");
  return handle;
}

describe("SpillWriter", () => {
  it("makes a private folder and a private file with all that was written, in order", async () => {
    const handle = await spill(["one\n", "two\n", "x".repeat(3_000_000), "\nend"]);
    expect(handle).toMatchObject({ bytes: 3_000_012, complete: true });
    expect((await stat(handle.directory)).mode & 0o777).toBe(0o700);
    expect((await stat(join(handle.directory, handle.id))).mode & 0o777).toBe(0o600);
    expect((await readSpill(handle, 0, 8)).toString()).toBe("one\ntwo\n");
    expect((await readSpill(handle, handle.bytes - 4, 100)).toString()).toBe("\nend");
  });

  it("keeps the order of pieces that nobody waited for, and loses none at the end", async () => {
    const writer = new SpillWriter(join(root, "out"));
    const pieces = Array.from({ length: 500 }, (_, index) => `${index}\n`);
    // One here and there is given after a turn of the loop, while the file is still being opened.
    for (const [index, piece] of pieces.entries()) {
      void writer.write(Buffer.from(piece));
      if (index % 7 === 0) await Promise.resolve();
      if (index % 50 === 0) await new Promise(setImmediate);
    }
    const handle = await writer.finish();
    expect(handle).toMatchObject({ bytes: pieces.join("").length, complete: true });
    const kept = handle === undefined ? "" : await readSpill(handle, 0, handle.bytes);
    expect(kept.toString()).toBe(pieces.join(""));
  });

  it("stops at its cap and says that it is not complete", async () => {
    const handle = await spill(["12345", "67890", "more"], 8);
    expect(handle).toMatchObject({ bytes: 8, complete: false });
    expect((await readSpill(handle, 0, 100)).toString()).toBe("12345678");
    expect(await spill(["1234", "5678"], 8)).toMatchObject({ bytes: 8, complete: true });
  });

  it.each([0o770, 0o707, 0o722])("refuses a folder of mode %s, which others could write to", async (mode) => {
    const directory = join(root, "open");
    await mkdir(directory);
    await chmod(directory, mode);
    const writer = new SpillWriter(directory);
    await writer.write(Buffer.from("secret"));
    expect(await writer.finish()).toBeUndefined();
    expect(writer.problem).toContain("not private");
    expect(await readdir(directory)).toEqual([]);
  });

  it("refuses a link in the place of its folder", async () => {
    const elsewhere = join(root, "elsewhere");
    await mkdir(elsewhere, { mode: 0o700 });
    await symlink(elsewhere, join(root, "out"));
    const writer = new SpillWriter(join(root, "out"));
    await writer.write(Buffer.from("secret"));
    expect(await writer.finish()).toBeUndefined();
    expect(await readdir(elsewhere)).toEqual([]);
  });

  it.skipIf(process.getuid?.() !== 0)("refuses a folder of another account, and one inside it", async () => {
    const directory = join(root, "foreign");
    await mkdir(directory, { mode: 0o700 });
    await chown(directory, 65_534, 65_534);
    for (const place of [directory, join(directory, "out")]) {
      const writer = new SpillWriter(place);
      await writer.write(Buffer.from("secret"));
      expect(await writer.finish()).toBeUndefined();
      expect(writer.problem).toContain("not private");
    }
  });

  it("gives up quietly where no folder can be made", async () => {
    await writeFile(join(root, "file"), "");
    const writer = new SpillWriter(join(root, "file", "out"));
    await writer.write(Buffer.from("x"));
    await writer.write(Buffer.from("y"));
    expect(await writer.finish()).toBeUndefined();
    expect(writer.problem).toBeDefined();
  });

  it.skipIf(process.platform !== "linux")("keeps nothing and says why when the disk is full", async () => {
    const full: typeof createWriteStream = () => createWriteStream("/dev/full");
    const writer = new SpillWriter(join(root, "out"), undefined, full);
    for (let count = 0; count < 40; count++) await writer.write(Buffer.alloc(100_000));
    expect(await writer.finish()).toBeUndefined();
    expect(writer.problem).toContain("ENOSPC");
  });

  it("removes output that has expired and nothing else when it makes the next file", async () => {
    const old = await spill(["old"]);
    const fresh = await spill(["fresh"]);
    await writeFile(join(old.directory, "not-ours.log"), "");
    const longAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);
    await utimes(join(old.directory, old.id), longAgo, longAgo);
    await utimes(join(old.directory, "not-ours.log"), longAgo, longAgo);
    const next = await spill(["next"]);
    expect((await readdir(old.directory)).sort()).toEqual([fresh.id, "not-ours.log", next.id].sort());
    await expect(readSpill(old, 0, 1)).rejects.toMatchObject({ code: "spill_expired" });
    await expect(searchSpill(old, /x/)).rejects.toMatchObject({ code: "spill_expired" });
  });
});

describe("kept output", () => {
  it("is read in pages, and ends with an empty one", async () => {
    const handle = await spill(["0123456789"]);
    const pages = [];
    for (let at = 0; at <= 12; at += 4) pages.push((await readSpill(handle, at, 4)).toString());
    expect(pages).toEqual(["0123", "4567", "89", ""]);
  });

  it("is searched line by line, with numbers from 1 and no more than asked for", async () => {
    const handle = await spill(["alpha\nbeta\nalphabet\n", "last alpha without end"]);
    expect(await searchSpill(handle, /alpha/)).toEqual([
      { line: 1, text: "alpha" },
      { line: 3, text: "alphabet" },
      { line: 4, text: "last alpha without end" },
    ]);
    expect(await searchSpill(handle, /alpha/, 1)).toHaveLength(1);
    expect(await searchSpill(handle, /ALPHA/gi, 10)).toHaveLength(3);
    expect(await searchSpill(handle, /gamma/)).toEqual([]);
  });

  it.each(["../../etc/passwd", "out-x.log", "out-00000000-0000-0000-0000-000000000000.log/.."])(
    "is never looked for under the name %j, which is not one of a spill file",
    async (id) => {
      const handle = { id, directory: root, bytes: 1, complete: true };
      await expect(readSpill(handle, 0, 1)).rejects.toBeInstanceOf(TalariaError);
      await expect(readSpill(handle, 0, 1)).rejects.toMatchObject({ code: "invalid_argument" });
    },
  );
});
