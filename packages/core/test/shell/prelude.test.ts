import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import type { CarriedState } from "../../src/shell/carried-state.js";
import {
  callEnvText,
  inheritText,
  lateFunctionsText,
  startText,
  stateText,
} from "../../src/shell/prelude.js";
import { shellQuote } from "../../src/shell/quote.js";
import { realBash } from "../support/real-bash.js";

const noState: CarriedState = {
  env: new Map(),
  functions: new Map(),
  aliases: new Map(),
  options: new Set(["braceexpand"]),
  shopt: new Set(["cmdhist", "sourcepath"]),
  umask: "0022",
};

/** Evaluates a text as a subshell of the driver does, then shows what is asked for. */
const run = (text: string, show: string, before = "") =>
  realBash(`exec 194</dev/null; umask 022\n${before}\nbuiltin eval ${shellQuote(text)}\n${show}\n`, {});

describe("stateText", () => {
  it("is nothing for the state a shell starts with", () => {
    expect(stateText(noState, noState)).toBe("");
    expect(stateText(noState, { ...noState })).toBe("");
  });

  it("sets, unsets, and switches what differs", () => {
    const state: CarriedState = {
      ...noState,
      env: new Map([["A", "it's\n$(x) é"]]),
      options: new Set(["noclobber", "pipefail"]),
      shopt: new Set(["cmdhist", "extglob"]),
      umask: "0077",
    };
    const base = { ...noState, env: new Map([["GONE", "1"]]) };
    const { stdout, stderr } = run(
      stateText(base, state),
      'printf "%s|" "$A" "${GONE-none}" "$(umask)"; shopt -po braceexpand noclobber pipefail; shopt -p extglob sourcepath; export -p | grep -c " A="',
      "export GONE=1",
    );
    expect(stderr).toBe("");
    expect(stdout).toBe(
      "it's\n$(x) é|none|0077|set +o braceexpand\nset -o noclobber\nset -o pipefail\nshopt -s extglob\nshopt -u sourcepath\n1\n",
    );
  });

  it("carries any value of any variable", () => {
    const value = fc.string({
      unit: fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code)),
    });
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 20 }), (values) => {
        const env = new Map(values.map((text, index) => [`V${index}`, text]));
        const show = values.map((_, index) => `printf '%s\\0' "$V${index}"`).join("\n");
        const { stdout } = run(stateText(noState, { ...noState, env }), show);
        expect(stdout.split("\0").slice(0, -1)).toEqual(values);
      }),
      { numRuns: 30 },
    );
  });
});

describe("callEnvText", () => {
  it("exports text as UTF-8", () => {
    const { stdout } = run(
      callEnvText({ A: "é→😀", B: "" }),
      'printf "%s|%s" "$A" "${B-none}"; env | grep -c "^[AB]="',
    );
    expect(Buffer.from(stdout, "latin1").toString()).toBe("é→😀|2\n");
  });
});

describe("inheritText", () => {
  const f = {
    body: "f () \n{ \n    case $1 in\n        +(a))\n            echo as\n        ;;\n    esac\n}",
    exported: false,
  };
  const broken = { body: "b () \n{ \n    ((\n}", exported: false };
  const held = {
    functions: new Map([["old", { body: "", exported: false }]]),
    aliases: new Map([["gone", "x"]]),
  };

  it("defines, exports and removes; what does not parse takes nothing with it", () => {
    const wanted = {
      functions: new Map([
        ["b", broken],
        ["f", f],
        ["e", { body: "e () \n{ \n    echo e\n}", exported: true }],
        ["a-b.c", { body: "a-b.c () \n{ \n    echo odd\n}", exported: false }],
      ]),
      aliases: new Map([
        ["l", "ls -l 'a b'"],
        ["-x", "odd"],
      ]),
    };
    const { stdout } = run(
      inheritText(held, wanted),
      "shopt -q extglob || echo off; a-b.c; bash -c e; type old gone 2>/dev/null; alias; shopt -s extglob; f aa",
      "old() { :; }; alias gone=x",
    );
    expect(stdout).toBe("off\nodd\ne\nalias -- -x='odd'\nalias l='ls -l '\\''a b'\\'''\nas\n");
  });

  it("is nothing when nothing differs, and leaves the driver's words out", () => {
    expect(inheritText(held, held)).toBe("");
    const words = new Map(
      ["builtin", "exec"].map((name) => [name, { body: `${name} () { :; }`, exported: false }]),
    );
    expect(
      inheritText({ functions: new Map(), aliases: new Map() }, { functions: words, aliases: new Map() }),
    ).toBe("");
  });

  it("leaves exec for the driver to define last", () => {
    const functions = new Map([["exec", { body: "exec () \n{ \n    echo mine\n}", exported: false }]]);
    const text = lateFunctionsText({ functions, aliases: new Map() });
    const { stdout } = run(text, 'type -t exec; eval "$__tl_j"; type -t exec; exec');
    expect(stdout).toBe("builtin\nfunction\nmine\n");
    expect(lateFunctionsText({ functions: new Map(), aliases: new Map() })).toBe("");
  });
});

describe("startText", () => {
  const folder = (): string => {
    const made = mkdtempSync(join(tmpdir(), "talaria-start-"));
    onTestFinished(() => rmSync(made, { recursive: true, force: true }));
    return made;
  };
  const enter = (text: string) =>
    run(text, 'printf "%s|%s" "$PWD" "${OLDPWD-}"', "exec 194</dev/null; cd /usr");

  it("enters a directory, whatever it is called, and remembers the one before", () => {
    const directory = folder();
    for (const name of ["-", "-P", "a b", "new\nline", "$HOME"]) {
      realBash(`mkdir -p -- ${shellQuote(join(directory, name))}`);
      const start = { path: null, ifMissing: "fail" as const };
      expect(enter(startText(start, join(directory, name), "/old")).stdout).toBe(
        `${join(directory, name)}|/old`,
      );
      const relative = startText({ ...start, relative: name }, directory, undefined);
      expect(enter(relative).stdout.split("|")[0]).toBe(join(directory, name));
    }
  });

  it("takes `..` physically", () => {
    const directory = folder();
    realBash(`cd ${directory} && mkdir -p a/b && ln -s a/b link`);
    const start = { path: null, ifMissing: "fail" as const };
    expect(enter(startText(start, `${directory}/link/..`, undefined)).stdout).toMatch(/\/a\|/);
    expect(enter(startText({ ...start, relative: ".." }, `${directory}/link`, undefined)).stdout).toMatch(
      /\/a\|/,
    );
    expect(enter(startText(start, `${directory}/link`, undefined)).stdout).toMatch(/\/link\|/);
  });
});
