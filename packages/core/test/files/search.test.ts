import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SearchOptions } from "../../src/files/search-result.js";
import { openSession } from "../../src/session/open-session.js";
import type { TerminalSession } from "../../src/session/terminal-session.js";
import { FakeProvider } from "../session/fake-provider.js";
import { HostEnvironment } from "../shell/host-environment.js";

const busybox = ["/bin/busybox", "/usr/bin/busybox"].find((path) => existsSync(path));
const applets =
  "sh cat env find grep head id mkdir mv od printf pwd readlink rm sort stat tail tr wc xargs sleep";
const programs =
  "bash sh cat env find grep head id mkdir mv od pwd readlink rm sort stat tail tr wc xargs sleep rg";
const places = (process.env["PATH"] ?? "").split(":");
const place = (program: string): string | undefined =>
  places.map((folder) => join(folder, program)).find((path) => existsSync(path));

const whyNot: Readonly<Record<string, string | undefined>> = {
  grep: undefined,
  ripgrep: place("rg") === undefined ? "no ripgrep, npm run testbed -- up local" : undefined,
  busybox: busybox === undefined ? "no busybox, npm run testbed -- up local" : undefined,
};

test.runIf(process.env["CI"] !== undefined)(
  "the programs that searching is tested with are there in CI",
  () => {
    expect(whyNot).toEqual({ grep: undefined, ripgrep: undefined, busybox: undefined });
  },
);

const files: Readonly<Record<string, string | Buffer>> = {
  "a/one.ts": "const first = 1;\nfunction fetch() {}\nlet größe = fetch(2);\n",
  "a-b.ts": "fetch(3)\n",
  "a/two.md": "nothing here\n",
  ".hidden/x.ts": "fetch(4)\n",
  ".dot.ts": "fetch(5)\n",
  ".ignore": "ignored.ts\n",
  "ignored.ts": "fetch(6)\n",
  "binary.bin": Buffer.from("fetch(7)\n\0"),
  "late.bin": Buffer.from(`${"fetch(8) of a long text\n".repeat(9000)}\0`),
  "new\nline.ts": "fetch(9)\n",
  'it\'s "quoted" $(x).ts': "fetch(10)\n",
  "crlf.txt": "alpha();\r\nbeta();\r\n",
  "long.txt": `${"x".repeat(499)}öfetch\n`,
  "wörter.txt": "ÄPFEL äpfel\nÖl 3,5 €\n",
  "utf16.txt": Buffer.from("\ufefffetch(1)\n", "utf16le"),
  "latin.txt": Buffer.from("gr\xf6\xdfe fetch\n", "latin1"),
  "--\nodd.txt": "odd one\n",
  "symbols.txt": "a.b[0]^$ \\ {x} (y) | c*d+ ?-\n",
  "foo.ts/inner.md": "inner fetch\n",
  "last.txt": "no end fetch",
  "lines.txt": Array.from({ length: 30 }, (_, at) => `row ${at + 1}\n`).join(""),
};

type Choice = Pick<SearchOptions, "literal" | "ignoreCase">;

/** A pattern, where it is found, and how it is meant. */
const patterns: readonly (readonly [string, readonly string[], Choice?])[] = [
  ["beta\\(\\);$", ["crlf.txt:2:1"]],
  ["^alpha", ["crlf.txt:1:1"]],
  ["äpfel", ["wörter.txt:1:1"], { ignoreCase: true }],
  ["ÄPFEL äpfel$", ["wörter.txt:1:1"]],
  ["[äö]pf", ["wörter.txt:1:7"]],
  ["5 .$", ["wörter.txt:2:6"]],
  ["^Ö[^a-z€]", []],
  ["5 [^a]$", ["wörter.txt:2:6"]],
  ["[€-₯]", ["wörter.txt:2:8"]],
  ["gr.+e fetch", []],
  ["\\bfetch$", ["last.txt:1:8", "latin.txt:1:7", "long.txt:1:501"]],
  ["a.b[0]^$ \\", ["symbols.txt:1:1"], { literal: true }],
  ["{X} (Y) | c*D+ ?-", ["symbols.txt:1:12"], { literal: true, ignoreCase: true }],
  ["[]^-] *[$^]", ["symbols.txt:1:6"]],
  ["[\\]\\[]{1,2}0", ["symbols.txt:1:4"]],
  ["(row ){1}1(0|9)\\r?$", ["lines.txt:10:1", "lines.txt:19:1"]],
  ["row (?:[[:digit:]]0)", ["lines.txt:10:1", "lines.txt:20:1", "lines.txt:30:1"]],
  ["w\\s+2\\d?4", ["lines.txt:24:3"]],
  ["odd one", ["--\nodd.txt:1:1"]],
  ["-", ["symbols.txt:1:28"], { literal: true }],
];

const kinds = Object.keys(whyNot);

describe.each(kinds)("searching with %s", (kind) => {
  const why = whyNot[kind];
  describe.skipIf(why !== undefined)(
    `with its programs${why === undefined ? "" : ` (skipped: ${why})`}`,
    () => {
      let root: string;
      let tree: string;
      let environment: HostEnvironment;
      let session: TerminalSession;

      beforeAll(async () => {
        root = await realpath(await mkdtemp(join(tmpdir(), "talaria-search-")));
        tree = join(root, "tree");
        for (const [name, content] of Object.entries(files)) {
          await mkdir(dirname(join(tree, name)), { recursive: true });
          await writeFile(join(tree, name), content);
        }
        await writeFile(Buffer.concat([Buffer.from(join(tree, "bad-")), Buffer.from([0xff])]), "fetch(11)\n");
        execFileSync("mkfifo", [join(tree, "pipe")]);
        await symlink("a", join(tree, "link"));
        await symlink("a-b.ts", join(tree, "link.ts"));
        const bin = join(root, "bin");
        await mkdir(bin);
        for (const program of (kind === "busybox" ? applets : programs).split(" ")) {
          const target = kind === "busybox" ? busybox : place(program);
          if (target === undefined || (program === "rg" && kind !== "ripgrep")) continue;
          await symlink(target, join(bin, program));
        }
        environment = new HostEnvironment({ PATH: bin, HOME: root, TMPDIR: root });
        session = await openSession({
          backend: new FakeProvider({ environment, isContainer: false }),
          talariaHome: root,
          cwd: tree,
        });
      });

      afterAll(async () => {
        await session.close();
        await environment.cleanup();
        await rm(root, { recursive: true });
      });

      test("lines are found in the order of paths, hidden, binary and linked files left out", async () => {
        const result = await session.files.search("fetch\\(([1-79]|\\d{2})\\)");
        expect(result.path).toBe(tree);
        expect(result.engine).toBe(kind === "ripgrep" ? "ripgrep" : "grep");
        expect(result.truncated).toBe(false);
        expect(result.matches.map(({ path, line, column, text }) => [path, line, column, text])).toEqual([
          ["a-b.ts", 1, 1, "fetch(3)"],
          ["a/one.ts", 3, 13, "let größe = fetch(2);"],
          ["bad-\udcff", 1, 1, "fetch(11)"],
          ["ignored.ts", 1, 1, "fetch(6)"],
          ['it\'s "quoted" $(x).ts', 1, 1, "fetch(10)"],
          ["new\nline.ts", 1, 1, "fetch(9)"],
        ]);
      });

      test("hidden files are searched when asked for", async () => {
        const { files: found } = await session.files.search("fetch\\([45]", { mode: "files", hidden: true });
        expect(found.map(({ path }) => path)).toEqual([".dot.ts", ".hidden/x.ts"]);
        expect((await session.files.search("fetch\\([45]", { mode: "files", glob: "*.ts" })).files).toEqual(
          [],
        );
      });

      test("files are told with the number of their matching lines", async () => {
        const { files: found, matches } = await session.files.search("fetch", {
          mode: "count",
          glob: ["*.ts", "*.md"],
        });
        expect(matches).toEqual([]);
        expect(found).toEqual([
          { path: "a-b.ts", count: 1 },
          { path: "a/one.ts", count: 2 },
          { path: "foo.ts/inner.md", count: 1 },
          { path: "ignored.ts", count: 1 },
          { path: 'it\'s "quoted" $(x).ts', count: 1 },
          { path: "new\nline.ts", count: 1 },
        ]);
      });

      test.each([
        ["a/*.ts", ["a/one.ts"]],
        ["**/*.ts", ["a-b.ts", "a/one.ts", "ignored.ts", 'it\'s "quoted" $(x).ts', "new\nline.ts"]],
        ["[!a-i]*.ts", ["a/one.ts", "new\nline.ts"]],
        ["a?b.ts", ["a-b.ts"]],
        ["foo.ts/*", ["foo.ts/inner.md"]],
        ["{a-b,ignored,x}.{md,t[s]}", ["a-b.ts", "ignored.ts"]],
        ["{a,foo.ts}/{one.{md,ts},inner*}", ["a/one.ts", "foo.ts/inner.md"]],
      ])("the glob %s takes the same files everywhere", async (glob, paths) => {
        const { files: found } = await session.files.search("fetch", { mode: "files", glob });
        expect(found.map(({ path }) => path)).toEqual(paths);
      });

      test("files are found by name", async () => {
        const byName = await session.files.search("*.md", { mode: "name" });
        expect(byName).toMatchObject({ engine: "find", truncated: false });
        expect(byName.files.map(({ path }) => path)).toEqual(["a/two.md", "foo.ts/inner.md"]);
        const either = await session.files.search("{two,a-b}.*", { mode: "name", glob: ["*.md", "*.txt"] });
        expect(either.files.map(({ path }) => path)).toEqual(["a/two.md"]);
        const few = await session.files.search("*", { mode: "name", limit: 2 });
        expect(few.files.map(({ path }) => path)).toEqual(["--\nodd.txt", "a-b.ts"]);
        expect(few.truncated).toBe(true);
      });

      test("context stands around a match, and a match is told once", async () => {
        const { matches } = await session.files.search("row (3|5|20)$", { context: 2 });
        expect(matches.map(({ line, isMatch }) => (isMatch ? line : -line))).toEqual([
          -1, -2, 3, -4, 5, -6, -7, -18, -19, 20, -21, -22,
        ]);
        expect(matches.filter(({ isMatch }) => !isMatch).every(({ column }) => column === 0)).toBe(true);
      });

      test("the limit takes the first by path and line, and says that there is more", async () => {
        const { matches, truncated } = await session.files.search("row|fetch\\(3", { limit: 3 });
        expect(matches.map(({ path, line }) => [path, line])).toEqual([
          ["a-b.ts", 1],
          ["lines.txt", 1],
          ["lines.txt", 2],
        ]);
        expect(truncated).toBe(true);
        expect((await session.files.search("row 3", { limit: 2 })).truncated).toBe(false);
      });

      test("a file with a NUL behind more matches than the limit is left out all the same", async () => {
        const { matches } = await session.files.search("fetch\\(8\\)", { limit: 5 });
        expect(matches).toEqual([]);
        const { files: found } = await session.files.search("fetch\\(8\\)", { mode: "count" });
        expect(found).toEqual([]);
      });

      test("a long line is cut at the border of a character", async () => {
        const [match] = (await session.files.search("fetch", { path: "long.txt" })).matches;
        expect(match).toMatchObject({ path: "long.txt", column: 501, text: "x".repeat(499) });
      });

      test("a file alone is searched, also one with no line end, and a single name is told", async () => {
        const { matches, path } = await session.files.search("no end", { path: "last.txt" });
        expect(path).toBe(join(tree, "last.txt"));
        expect(matches).toEqual([
          { path: "last.txt", line: 1, column: 1, text: "no end fetch", isMatch: true },
        ]);
        expect((await session.files.search("fetch", { path: "binary.bin" })).matches).toEqual([]);
      });

      test.each(patterns.map(([pattern, expected, options]) => ({ pattern, expected, options })))(
        "the pattern $pattern means the same to every engine",
        async ({ pattern, expected, options }) => {
          const { matches } = await session.files.search(pattern, Object.assign({ glob: "*.txt" }, options));
          expect(matches.map(({ path, line, column }) => `${path}:${line}:${column}`)).toEqual(expected);
        },
      );

      test.each(["(?=a)", "(a)\\1", "\\pL", "a**", "*a", "(a", "[a", "a|", "a{3,2}", "a\nb", "", "a\\"])(
        "the pattern %j is refused with what to write instead",
        async (pattern) => {
          await expect(session.files.search(pattern)).rejects.toMatchObject({
            name: "InvalidArgumentError",
            argument: "pattern",
          });
        },
      );

      test("what is not there or must not be searched is named", async () => {
        await expect(session.files.search("x", { path: "nowhere" })).rejects.toMatchObject({
          reason: "not_found",
        });
        await expect(session.files.search("x", { path: "pipe" })).rejects.toMatchObject({
          reason: "not_regular",
        });
        await expect(session.files.search("PATH", { path: `/proc/${process.pid}` })).rejects.toMatchObject({
          reason: "refused",
        });
      });

      test("a pattern that would take an expression of JavaScript for ever ends", async () => {
        const { matches } = await session.files.search("(x+x+)+ö", { path: "long.txt" });
        expect(matches.map(({ column }) => column)).toEqual([1]);
      });

      test("a search that is cancelled ends with the reason, and the next one works", async () => {
        const reason = new Error("enough");
        await expect(session.files.search("row", { signal: AbortSignal.abort(reason) })).rejects.toThrow(
          "enough",
        );
        expect((await session.files.search("row 7")).matches).toHaveLength(1);
      });
    },
  );
});
