import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSession } from "../../src/session/open-session.js";
import type { TerminalSession } from "../../src/session/terminal-session.js";
import { SearchAnswerReader, type SearchRecord } from "../../src/files/search-answer.js";
import { SearchCollector } from "../../src/files/search-collector.js";
import { parseGlobs } from "../../src/files/search-glob.js";
import { SearchMatcher } from "../../src/files/search-matcher.js";
import { shownMatches } from "../../src/files/search-matches.js";
import { parsePattern } from "../../src/files/search-pattern.js";
import { FakeProvider } from "../session/fake-provider.js";
import { HostEnvironment } from "../shell/host-environment.js";

let folder: string;
let environment: HostEnvironment;
let session: TerminalSession;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "talaria-search-bounds-")));
  environment = new HostEnvironment({ PATH: process.env["PATH"], HOME: folder, TMPDIR: folder });
  session = await openSession({
    backend: new FakeProvider({ environment, isContainer: false }),
    talariaHome: folder,
    cwd: folder,
  });
});

afterAll(async () => {
  await session.close();
  await environment.cleanup();
  await rm(folder, { recursive: true });
});

test("an answer that would be too large still gives the first lines by path", async () => {
  const tree = join(folder, "large");
  await mkdir(tree);
  const line = `${"long ".repeat(2000)}\n`;
  // More than 32 MiB of matching lines, however they come.
  for (let at = 0; at < 40; at += 1) await writeFile(join(tree, `file-${at + 10}`), line.repeat(100));
  const { matches, truncated } = await session.files.search("long", { path: tree, limit: 150 });
  expect(matches).toHaveLength(150);
  expect([...new Set(matches.map(({ path }) => path))]).toEqual(["file-10", "file-11"]);
  expect(matches.at(-1)).toMatchObject({ line: 50, column: 1, text: "long ".repeat(100) });
  expect(truncated).toBe(true);
  expect((await session.files.search("nothing", { path: tree })).matches).toEqual([]);
});

test("a line without an end is not kept whole", () => {
  const records: SearchRecord[] = [];
  const reader = new SearchAnswerReader("grep", {
    record: (record) => records.push(record),
    binary: () => expect.unreachable("no file is binary"),
  });
  reader.push(Buffer.from("./a\u00007:"));
  for (let at = 0; at < 100; at += 1) reader.push(Buffer.alloc(10_000, "x"));
  reader.push(Buffer.from("\n9-next\n\0./b\u00001:y\n\0"));
  reader.end();
  expect(records.map(({ path, number, isMatch, text }) => [path, number, isMatch, text.length])).toEqual([
    ["a", 7, true, 64 * 1024 - 2],
    ["a", 9, false, 4],
    ["b", 1, true, 1],
  ]);
});

test("an answer means the same however it is parted", () => {
  const whole =
    './a\u00001:x\n./late: WARNING: stopped searching binary file after match (found "\\0" byte around offset 3)\n./b\u00002-y\n--\n./b\u00009:z\n';
  const read = (size: number): unknown => {
    const told: unknown[] = [];
    const reader = new SearchAnswerReader("ripgrep", {
      record: (record) => told.push(record),
      binary: (path) => told.push(path),
    });
    for (let at = 0; at < whole.length; at += size) reader.push(Buffer.from(whole.slice(at, at + size)));
    reader.end();
    return told;
  };
  expect(read(1)).toEqual(read(whole.length));
  expect(read(1)).toEqual([
    { path: "a", number: 1, isMatch: true, text: "x" },
    "late",
    { path: "b", number: 2, isMatch: false, text: "y" },
    { path: "b", number: 9, isMatch: true, text: "z" },
  ]);
});

test("of files told in any order the first by path are kept, binary ones not counted", () => {
  const collector = new SearchCollector(5, true, (path) => !path.endsWith("0"));
  for (let at = 5000; at > 0; at -= 1) {
    const path = `f${String(at).padStart(4, "0")}`;
    collector.add({ path, number: 1, isMatch: true, text: "" });
    if (at % 2 === 1) collector.drop(path);
  }
  expect(collector.first().map(({ path }) => path)).toEqual([
    "f0002",
    "f0004",
    "f0006",
    "f0008",
    "f0012",
    "f0014",
  ]);
  expect(collector.total).toBeLessThan(1100);
});

test("a glob with more alternatives than are looked at is refused", () => {
  expect(parseGlobs("glob", "{a,b}{c,{d,e}}\\{f,g}{h}[{,}]")).toHaveLength(6);
  expect(() => parseGlobs("glob", "{a,b}".repeat(7))).toThrow("more than 100 alternatives");
});

test("looking for the columns in long lines lets the process do other things, and ends with its signal", async () => {
  const end = new AbortController();
  const text = "x".repeat(64 * 1024);
  const records = Array.from({ length: 100 }, (_, at) => ({
    path: "a",
    number: at + 1,
    isMatch: true,
    text,
  }));
  const shown = shownMatches([{ path: "a", matches: 100, count: 0, records }], {
    matcher: new SearchMatcher(parsePattern("xy", { literal: true, ignoreCase: false })),
    limit: 200,
    context: 0,
    maxLineBytes: 10,
    signal: end.signal,
  });
  setImmediate(() => end.abort(new Error("enough of it")));
  await expect(shown).rejects.toThrow("enough of it");
});

test.each([
  ["b|ab", "xab", 1],
  ["(a|b)*c", "xxabac", 2],
  ["a{2,3}$", "aaaa\r", 1],
  ["^$", "", 0],
  ["(x*)*y", "x".repeat(300), undefined],
  ["\\bé", "é", undefined],
  [".", "\udcff", undefined],
])("where %s first fits in %j is found", (pattern, line, expected) => {
  const tree = parsePattern(pattern, { literal: false, ignoreCase: false });
  expect(new SearchMatcher(tree).find(line)).toBe(expected);
});
