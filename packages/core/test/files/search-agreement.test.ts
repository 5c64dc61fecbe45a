import { existsSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SearchMatcher } from "../../src/files/search-matcher.js";
import { parsePattern } from "../../src/files/search-pattern.js";
import { openSession } from "../../src/session/open-session.js";
import type { TerminalSession } from "../../src/session/terminal-session.js";
import { fromShellBytes } from "../../src/shell/shell-bytes.js";
import { FakeProvider } from "../session/fake-provider.js";
import { HostEnvironment } from "../shell/host-environment.js";

const places = (process.env["PATH"] ?? "").split(":");
const place = (program: string): string | undefined =>
  places.map((folder) => join(folder, program)).find((path) => existsSync(path));
const missing = ["rg", "busybox"].filter((program) => place(program) === undefined);
const why = missing.length === 0 ? "" : ` (skipped: no ${missing.join(", ")}, npm run testbed -- up local)`;
const programs =
  "sh cat env find grep head id mkdir mv od pwd readlink rm sleep sort stat tail tr wc xargs".split(" ");

/** Always the same sequence: a failure can be had again. */
class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(count: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * count);
  }

  of<T>(choices: readonly T[]): T {
    const one = choices[this.below(choices.length)];
    if (one === undefined) throw new Error("There is nothing to choose from.");
    return one;
  }
}

const characters = [
  ...Array.from("aabB0_ -.^$[](){}|*+?\\/&~#\"'"),
  "\t",
  "\v",
  "\r",
  "é",
  "É",
  "ä",
  "ß",
  "Σ",
  "σ",
  "ς",
  "€",
  "😀",
  "K",
];
const brokenBytes = ["\xff", "\xc3", "\xa9", "\x80", "\xe2\x82", "\xed\xa0\x80", "\xf4\x90\x80\x80"];

/** Lines of bytes, some of them no UTF-8. */
function linesOf(dice: Dice, count: number): readonly string[] {
  return Array.from({ length: count }, () =>
    Array.from({ length: dice.below(7) }, () =>
      dice.below(9) === 0 ? dice.of(brokenBytes) : Buffer.from(dice.of(characters)).toString("latin1"),
    ).join(""),
  );
}

function patternOf(dice: Dice, depth: number): string {
  const atom = (): string => {
    switch (dice.below(depth > 0 ? 11 : 9)) {
      case 0:
        return ".";
      case 1:
        return dice.of(["\\d", "\\w", "\\s", "\\D", "\\W", "\\S", "\\t", "\\v"]);
      case 2:
        return `[${dice.of(["", "^"])}${dice.of(["]", "", ""])}${dice.of(["a-c", "é", "À-ÿ", "[:alpha:]", "[:punct:]", "\\w", "b^", "€-😀"])}${dice.of(["", "-", "&", "[", "\\\\", "~~"])}]`;
      case 3:
        return dice.of(["^", "$", "\\b", "", ""]);
      case 9:
      case 10:
        return `${dice.of(["(", "(?:"])}${patternOf(dice, depth - 1)})`;
      default: {
        const one = dice.of(characters);
        return /[\\^$.[\]{}()|*+?]/.test(one) ? `\\${one}` : one;
      }
    }
  };
  const piece = (): string => {
    const one = atom();
    const isPlace = ["^", "$", "\\b", ""].includes(one);
    // A group that may be empty, repeated without end, takes the C library's expressions for ever.
    if (one.startsWith("(")) return one + dice.of(["", "", "?", "{2}"]);
    return one + (isPlace ? "" : dice.of(["", "", "", "*", "+", "?", "{2}", "{0,2}", "{1,}", "+?"]));
  };
  const side = (): string => Array.from({ length: 1 + dice.below(3) }, piece).join("") || "a";
  return Array.from({ length: dice.below(4) === 0 ? 2 : 1 }, side).join("|");
}

describe.skipIf(missing.length > 0)(`all engines${why}`, () => {
  let root: string;
  const environments: HostEnvironment[] = [];
  const sessions = new Map<string, TerminalSession>();
  const dice = new Dice(20_261_201);
  const lines = linesOf(dice, 400);

  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), "talaria-agreement-")));
    await mkdir(join(root, "tree"));
    await writeFile(join(root, "tree/lines"), Buffer.from(`${lines.join("\n")}\n`, "latin1"));
    for (const kind of ["ripgrep", "grep", "busybox"]) {
      const bin = join(root, kind);
      await mkdir(bin);
      for (const program of [
        ...programs,
        ...(kind === "busybox" ? [] : ["bash"]),
        ...(kind === "ripgrep" ? ["rg"] : []),
      ]) {
        await symlink(place(kind === "busybox" ? "busybox" : program) ?? "", join(bin, program));
      }
      const environment = new HostEnvironment({ PATH: bin, HOME: root, TMPDIR: root });
      environments.push(environment);
      const backend = new FakeProvider({ environment, isContainer: false });
      sessions.set(kind, await openSession({ backend, talariaHome: root, cwd: join(root, "tree") }));
    }
  });

  afterAll(async () => {
    for (const session of sessions.values()) await session.close();
    for (const environment of environments) await environment.cleanup();
    await rm(root, { recursive: true });
  });

  test("find the same lines as the host for any pattern, in what is no UTF-8 as well", async () => {
    for (let round = 0; round < 60; round += 1) {
      const pattern = patternOf(dice, 2);
      const choice = { ignoreCase: dice.below(3) === 0, literal: dice.below(6) === 0 };
      const matcher = new SearchMatcher(parsePattern(pattern, choice));
      const expected = lines.flatMap((line, at) =>
        matcher.find(fromShellBytes(line)) === undefined ? [] : [at + 1],
      );
      for (const [kind, session] of sessions) {
        const { matches, engine } = await session.files.search(pattern, { ...choice, limit: 1000 });
        expect(engine).toBe(kind === "ripgrep" ? "ripgrep" : "grep");
        const found = matches.map(({ line }) => line);
        const other = [
          ...found.filter((one) => !expected.includes(one)),
          ...expected.filter((one) => !found.includes(one)),
        ];
        expect(
          other.map((one) => lines[one - 1]),
          `${kind}: ${JSON.stringify({ pattern, ...choice })}`,
        ).toEqual([]);
      }
    }
  }, 60_000);
});
