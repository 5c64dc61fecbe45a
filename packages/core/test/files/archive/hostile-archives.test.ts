import { gzipSync } from "node:zlib";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FileError } from "../../../src/errors/errors.js";
import {
  createArchive,
  extractArchive,
  type ArchiveOptions,
} from "../../../src/files/archive/archive-file.js";
import { temporaryFolder } from "../../support/host-shell.js";
import { inPieces, makeArchive, type Member } from "./make-archive.js";

/** Extracts into a new folder beside a file that nothing may touch; gives back the error and what is left. */
async function attack(members: readonly Member[], options: ArchiveOptions = {}) {
  const folder = await temporaryFolder();
  writeFileSync(join(folder, "victim"), "untouched");
  let error: unknown;
  try {
    await extractArchive(inPieces(makeArchive(members)), join(folder, "target"), options);
  } catch (reason) {
    error = reason;
  }
  expect(readFileSync(join(folder, "victim"), "utf8")).toBe("untouched");
  return { error, left: readdirSync(folder).sort(), folder };
}

const refusals: Readonly<Record<string, { readonly members: readonly Member[]; readonly named: string }>> = {
  "an absolute name": { members: [{ name: "/tmp/evil" }], named: "/tmp/evil" },
  'a name with ".."': { members: [{ name: "a/../../victim", content: "x" }], named: "a/../../victim" },
  "a link to an absolute path": {
    members: [{ name: "l", kind: "symlink", linkName: "/etc/passwd" }],
    named: "l",
  },
  "a link out of the target": {
    members: [{ name: "d/l", kind: "symlink", linkName: "../../victim" }],
    named: "d/l",
  },
  "a link that goes out by way of another one": {
    members: [
      { name: "a/b/up", kind: "symlink", linkName: "../.." },
      { name: "out", kind: "symlink", linkName: "a/b/up/../victim" },
    ],
    named: "out",
  },
  "a file written through a link": {
    members: [
      { name: "d", kind: "directory" },
      { name: "l", kind: "symlink", linkName: "d" },
      { name: "l/file", content: "x" },
    ],
    named: "l/file",
  },
  "a directory in place of a link": {
    members: [
      { name: "d", kind: "directory" },
      { name: "l", kind: "symlink", linkName: "d" },
      { name: "l/", kind: "directory" },
    ],
    named: "l/",
  },
  "a hard link to an absolute path": {
    members: [{ name: "h", kind: "hardlink", linkName: "/etc/passwd" }],
    named: "h",
  },
  "a hard link out of the target": {
    members: [{ name: "h", kind: "hardlink", linkName: "../victim" }],
    named: "h",
  },
  "a hard link to what is not in the archive": {
    members: [{ name: "h", kind: "hardlink", linkName: "nothing" }],
    named: "h",
  },
  "a hard link to a link": {
    members: [
      { name: "f", content: "x" },
      { name: "l", kind: "symlink", linkName: "f" },
      { name: "h", kind: "hardlink", linkName: "l" },
    ],
    named: "h",
  },
  "a link in place of the target itself": {
    members: [{ name: "./", kind: "symlink", linkName: "x" }],
    named: "./",
  },
};

describe("an archive that is not trusted", () => {
  for (const [title, { members, named }] of Object.entries(refusals)) {
    it(`is refused for ${title}, with the entry named and nothing written`, async () => {
      const { error, left } = await attack([{ name: "first", content: "harmless" }, ...members]);
      expect(error).toBeInstanceOf(FileError);
      expect(error).toMatchObject({ reason: "refused", path: named });
      expect(left).toEqual(["victim"]);
    });
  }

  it("has its devices and pipes left out and reported, and loses special bits", async () => {
    const folder = await temporaryFolder();
    const archive = makeArchive([
      { name: "null", kind: "characterDevice" },
      { name: "disk", kind: "blockDevice" },
      { name: "pipe", kind: "fifo" },
      { name: "su", content: "x", mode: 0o4755 },
    ]);
    const result = await extractArchive(inPieces(archive, 100), join(folder, "target"));
    expect(result.skipped.map(({ path }) => path)).toEqual(["null", "disk", "pipe"]);
    expect(readdirSync(join(folder, "target"))).toEqual(["su"]);
    expect(statSync(join(folder, "target/su")).mode & 0o7777).toBe(0o755);
    expect(result.notes.join(" ")).toContain("set-user-id");
  });

  it("is stopped by each limit", async () => {
    const many = Array.from({ length: 11 }, (_, index) => ({ name: `f${index}` }));
    const cases: readonly (readonly [ArchiveOptions["limits"], readonly Member[]])[] = [
      [{ maxEntries: 10 }, many],
      [{ maxBytes: 10 }, [{ name: "a", content: "12345678901" }]],
      [{ maxNameBytes: 200 }, [{ name: "n".repeat(201) }]],
      [{ maxDepth: 5 }, [{ name: "a/b/c/d/e/f" }]],
    ];
    for (const [limits, members] of cases) {
      const { error, left } = await attack(members, { limits });
      expect(error).toMatchObject({ reason: "too_large" });
      expect(left).toEqual(["victim"]);
    }
  });

  it("is stopped when it is a compressed bomb", async () => {
    const folder = await temporaryFolder();
    const bomb = gzipSync(makeArchive([{ name: "zeros", content: "\0".repeat(20_000_000) }]));
    expect(bomb.length).toBeLessThan(100_000);
    const extracting = extractArchive(inPieces(bomb), join(folder, "t"), { limits: { maxBytes: 1_000_000 } });
    await expect(extracting).rejects.toMatchObject({ reason: "too_large" });
    expect(readdirSync(folder)).toEqual([]);
  });

  it("leaves nothing when it is cut off, damaged or compressed badly", async () => {
    const folder = await temporaryFolder();
    const whole = makeArchive([{ name: "a", content: "x".repeat(5_000) }, { name: "b" }]);
    const damaged = [whole.subarray(0, 3_000), gzipSync(whole).subarray(0, 60), Buffer.from("nonsense")];
    for (const bytes of damaged) {
      const extracting = extractArchive(inPieces(bytes, 700), join(folder, "t"));
      await expect(extracting).rejects.toMatchObject({ reason: "invalid" });
      expect(readdirSync(folder)).toEqual([]);
    }
  });

  it("can have its links out of the target left out instead", async () => {
    const members: Member[] = [
      { name: "f", content: "x" },
      { name: "l", kind: "symlink", linkName: "/etc" },
    ];
    const { error, folder } = await attack(members, { outsideLinks: "skip" });
    expect(error).toBeUndefined();
    expect(readdirSync(join(folder, "target"))).toEqual(["f"]);
  });

  it("is not written through a link that stands in the target", async () => {
    const folder = await temporaryFolder();
    mkdirSync(join(folder, "outside"));
    mkdirSync(join(folder, "target"));
    symlinkSync("../outside", join(folder, "target/d"));
    const archive = makeArchive([{ name: "a" }, { name: "d/f", content: "x" }]);
    const extracting = extractArchive(inPieces(archive), join(folder, "target"));
    await expect(extracting).rejects.toMatchObject({ reason: "refused", path: "d" });
    expect(readdirSync(join(folder, "outside"))).toEqual([]);
    expect(readdirSync(join(folder, "target"))).toEqual(["d"]);
  });

  it("replaces a link that stands in place of one of its files, and does not follow it", async () => {
    const folder = await temporaryFolder();
    writeFileSync(join(folder, "victim"), "untouched");
    mkdirSync(join(folder, "target"));
    symlinkSync("../victim", join(folder, "target/f"));
    await extractArchive(inPieces(makeArchive([{ name: "f", content: "new" }])), join(folder, "target"));
    expect(readFileSync(join(folder, "target/f"), "utf8")).toBe("new");
    expect(readFileSync(join(folder, "victim"), "utf8")).toBe("untouched");
  });

  it("keeps links that stay inside", async () => {
    const members: Member[] = [
      { name: "lib/real", content: "x" },
      { name: "lib/l", kind: "symlink", linkName: "./real" },
      { name: "top", kind: "symlink", linkName: "lib/l" },
      { name: "lib/up", kind: "symlink", linkName: "../top" },
    ];
    const { error, folder } = await attack(members);
    expect(error).toBeUndefined();
    expect(readFileSync(join(folder, "target/lib/up"), "utf8")).toBe("x");
    expect(readlinkSync(join(folder, "target/lib/up"))).toBe("../top");
  });
});

describe("createArchive", () => {
  it("packs a tree that extractArchive gives back, compressed when the name says so", async () => {
    const folder = await temporaryFolder();
    mkdirSync(join(folder, "tree/sub"), { recursive: true });
    writeFileSync(join(folder, "tree/sub/f"), "content".repeat(10_000));
    writeFileSync(join(folder, "tree/no.log"), "left out");
    for (const name of ["a.tar", "a.tar.gz"]) {
      const archive = join(folder, name);
      const made = await createArchive(join(folder, "tree"), archive, { exclude: ["*.log"] });
      expect(made).toMatchObject({ files: 1, directories: 1, bytes: 70_000 });
      const target = join(folder, `out-${name}`);
      expect(await extractArchive(archive, target)).toMatchObject({ files: 1, bytes: 70_000 });
      expect(readFileSync(join(target, "sub/f"), "utf8")).toBe("content".repeat(10_000));
      expect(readdirSync(target)).toEqual(["sub"]);
    }
    expect(statSync(join(folder, "a.tar.gz")).size).toBeLessThan(2_000);
  });
});
