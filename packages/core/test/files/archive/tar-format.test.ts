import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TarReader } from "../../../src/files/archive/tar-reader.js";
import { temporaryFolder } from "../../support/host-shell.js";
import { makeArchive } from "./make-archive.js";

interface Read {
  readonly name: string;
  readonly kind: string;
  readonly linkName: string;
  readonly content: string;
}

function readAll(bytes: Buffer, pieceBytes = bytes.length): Read[] {
  const reader = new TarReader();
  const found: { name: string; kind: string; linkName: string; content: string }[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    reader.push(bytes.subarray(at, at + pieceBytes));
    for (let event = reader.next(); event !== undefined; event = reader.next()) {
      const last = found.at(-1);
      if (event.kind === "entry") {
        const { name, kind, linkName } = event.entry;
        found.push({ name, kind, linkName, content: "" });
      } else if (last !== undefined) last.content += event.bytes.toString("latin1");
    }
  }
  reader.finish();
  return found;
}

const programs: readonly (readonly [string, readonly string[]])[] = [
  ["GNU tar", ["tar"]],
  ["busybox tar", ["busybox", "tar"]],
];
const longName = `${"d".repeat(90)}/${"f".repeat(180)}`;

async function makeTree(): Promise<string> {
  const folder = await temporaryFolder();
  const tree = join(folder, "tree");
  mkdirSync(join(tree, "d".repeat(90)), { recursive: true });
  writeFileSync(join(tree, longName), "long");
  writeFileSync(Buffer.from(`${tree}/\xff\xfe`, "latin1"), "bytes");
  writeFileSync(join(tree, "-x 'y\"\n"), "odd");
  writeFileSync(join(tree, "empty"), "");
  writeFileSync(join(tree, "block"), "b".repeat(512));
  symlinkSync("t".repeat(200), join(tree, "link"));
  return tree;
}

describe("the tar reader and writer", () => {
  for (const [title, [program = "", ...words]] of programs) {
    it(`reads what ${title} writes, byte by byte if need be`, async () => {
      const tree = await makeTree();
      const bytes = execFileSync(program, [...words, "-cf", "-", "-C", tree, "."], { maxBuffer: 1e8 });
      for (const pieceBytes of [bytes.length, 511, 1]) {
        const found = new Map(readAll(bytes, pieceBytes).map((entry) => [entry.name, entry]));
        expect(found.get(`./${longName}`)?.content).toBe("long");
        expect(found.get("./\xff\xfe")?.content).toBe("bytes");
        expect(found.get("./-x 'y\"\n")?.content).toBe("odd");
        expect(found.get("./empty")?.content).toBe("");
        expect(found.get("./block")?.content).toBe("b".repeat(512));
        expect(found.get("./link")).toMatchObject({ kind: "symlink", linkName: "t".repeat(200) });
      }
    });

    it(`writes what ${title} reads`, async () => {
      const folder = await temporaryFolder();
      const archive = makeArchive([
        { name: longName, content: "long" },
        { name: "\xff\xfe", content: "bytes" },
        { name: "e/", kind: "directory", mode: 0o755 },
        { name: "link", kind: "symlink", linkName: `e/${"t".repeat(190)}` },
        { name: "hard", kind: "hardlink", linkName: longName },
      ]);
      execFileSync(program, [...words, "-xof", "-", "-C", folder], { input: archive });
      expect(readFileSync(join(folder, longName), "utf8")).toBe("long");
      expect(readFileSync(join(folder, "hard"), "utf8")).toBe("long");
      expect(readFileSync(Buffer.from(`${folder}/\xff\xfe`, "latin1"), "utf8")).toBe("bytes");
      expect(existsSync(join(folder, "e"))).toBe(true);
    });
  }

  it("reads the names, sizes and times of the POSIX form", async () => {
    const tree = await makeTree();
    const bytes = execFileSync("tar", ["--format=posix", "-cf", "-", "-C", tree, "."], { maxBuffer: 1e8 });
    const found = new Map(readAll(bytes, 700).map((entry) => [entry.name, entry]));
    expect(found.get(`./${longName}`)?.content).toBe("long");
    expect(found.get("./link")?.linkName).toBe("t".repeat(200));
    expect(found.get("./\xff\xfe")?.content).toBe("bytes");
  });

  it("writes and reads sizes beyond what octal digits hold", () => {
    const sizeBytes = 12 * 1024 ** 3;
    const reader = new TarReader();
    reader.push(makeArchive([{ name: "large", sizeBytes }], false));
    expect(reader.next()).toMatchObject({ kind: "entry", entry: { name: "large", sizeBytes } });
  });

  it("gives back whatever members it wrote, cut at any place", () => {
    const bytes = fc
      .uint8Array({ minLength: 1, maxLength: 300 })
      .map((array) => Buffer.from(array).toString("latin1"));
    const name = bytes.map((text) => `n${text.replaceAll("\0", "0").replace(/\/+$/, "")}`);
    const member = fc.record({ name, content: fc.oneof(bytes, fc.constant("")) });
    fc.assert(
      fc.property(
        fc.array(member, { maxLength: 6 }),
        fc.integer({ min: 1, max: 2_000 }),
        (members, piece) => {
          const found = readAll(makeArchive(members), piece);
          expect(found.map(({ name: read, content }) => ({ name: read, content }))).toEqual(members);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("takes no archive for whole that was cut off, wherever that was", () => {
    const whole = makeArchive([{ name: "a", content: "x".repeat(600) }, { name: "b" }], false);
    for (const length of [0, 1, 511, 512, 900, 1536, whole.length]) {
      expect(() => readAll(whole.subarray(0, length), 512)).toThrow(/ends in the middle/);
    }
  });

  it("refuses damaged headers, and content where none can be", () => {
    const damaged = makeArchive([{ name: "a", content: "x" }]);
    damaged[0] = 0x62;
    expect(() => readAll(damaged)).toThrow(/checksum/);
    expect(() => readAll(Buffer.from("no tar at all".repeat(100)))).toThrow(/no tar archive/);
    const hidden = makeArchive([{ name: "l", kind: "symlink", linkName: "a", content: "x" }]);
    expect(() => readAll(hidden)).toThrow(/yet has content/);
  });
});
