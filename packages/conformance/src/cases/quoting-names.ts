import { TalariaError } from "@talaria/core";
import { casesOf } from "../case.js";
import { exportedValue } from "../exported-value.js";
import { hardNames, printable } from "../hard-names.js";
import { readAll } from "../read-all.js";

export const quotingNamesCases = casesOf("quoting", {
  "argv-literal": {
    title: "the words of a spawned program reach it one by one, whatever they hold",
    rule: "field 7.6, quoting",
    needs: ["spawn"],
    async run({ check, session, waitFor }) {
      const words = ["", ...hardNames, printable, "", "a\nb\n", "\u0001\u007F"];
      const program = await session.spawn(["printf", "<%s>\\0", "first", ...words]);
      program.stdin.end();
      const output = await waitFor("the program's output", readAll(program.stdout));
      check.equal(await waitFor("its exit", program.exit), { kind: "exited", code: 0 }, "exit");
      check.equal(
        output.toString(),
        ["first", ...words].map((word) => `<${word}>\0`).join(""),
        "words it was given",
      );
    },
  },
  "argv-too-long": {
    title:
      "a word or a list of words too long for the sandbox is an error of the call, and the session works on",
    rule: "field 7.6, quoting",
    needs: ["spawn"],
    async run({ check, session, nextCommandWorks }) {
      const tooLong = {
        "a word of 40 MB": ["printf", "%s", "x".repeat(40_000_000)],
        "words of 40 MB together": ["true", ...Array.from({ length: 400 }, () => "x".repeat(100_000))],
      };
      for (const [what, argv] of Object.entries(tooLong)) {
        const reason = await check.rejected(session.spawn(argv), what);
        check.that(TalariaError.isInstance(reason), `${what}: expected a typed error, got ${String(reason)}`);
        await nextCommandWorks();
      }
    },
  },
  "env-value": {
    title: "the value of a variable arrives as it is: empty, with =, quotes, newlines and all of ASCII",
    rule: "field 6 E 130",
    async run({ check, session }) {
      for (const value of ["", "=", "a=b=c", "\n", "a\nb\n", ...hardNames, printable, "x".repeat(60_000)]) {
        const result = await session.execute(
          `printf "%s|%s|" "\${VALUE+set}" "$VALUE"; ${exportedValue("VALUE")}`,
          {
            env: { VALUE: value },
          },
        );
        check.printed(result, `set|${value}|${value}\n`, `the value ${JSON.stringify(value.slice(0, 40))}`);
      }
    },
  },
  "env-value-spawned": {
    title: "a spawned program gets the values of its variables as they are",
    rule: "field 6 E 131",
    needs: ["spawn"],
    async run({ check, session, waitFor }) {
      const env = Object.fromEntries(hardNames.map((value, index) => [`VALUE_${index}`, value]));
      const program = await session.spawn(["env", "-0"], { env });
      program.stdin.end();
      const output = (await waitFor("the program's output", readAll(program.stdout))).toString().split("\0");
      for (const [name, value] of Object.entries(env)) {
        check.that(
          output.includes(`${name}=${value}`),
          `expected ${name}=${JSON.stringify(value)} in the environment`,
        );
      }
    },
  },
  "env-name-refused": {
    title: "a variable whose name or value cannot be one is refused",
    rule: "SPEC 3.7",
    async run({ check, session, nextCommandWorks }) {
      for (const env of [{ "": "x" }, { "A=B": "x" }, { "A\0": "x" }, { A: "x\0y" }]) {
        await check.rejects(session.execute("true", { env }), "invalid_argument", JSON.stringify(env));
      }
      await nextCommandWorks();
    },
  },
  "workdir-names": {
    title: "a command starts in a directory of any name",
    rule: "field 7.6, quoting",
    async run({ check, session, observer, folder }) {
      const base = await folder();
      for (const name of hardNames) {
        const workdir = `${base}/${name}`;
        check.exited(
          await observer.execute('mkdir -p -- "$NAME"', { env: { NAME: workdir } }),
          0,
          "making it",
        );
        const result = await session.execute('pwd -P; printf "%s." "$PWD"; [ . -ef "$NAME" ]', {
          workdir,
          env: { NAME: workdir },
        });
        check.printed(result, `${workdir}\n${workdir}.`, JSON.stringify(name));
      }
    },
  },
  "cwd-names": {
    title: "a directory of any name is remembered after a cd into it",
    rule: "SPEC 2.8",
    async run({ check, session, folder }) {
      const base = await folder();
      for (const name of hardNames) {
        const path = `${base}/${name}`;
        const result = await session.execute('mkdir -p -- "$NAME"; cd -- "$NAME"; exit 3', {
          env: { NAME: path },
        });
        check.exited(result, 3, JSON.stringify(name));
        check.equal<string>(result.cwd, path, "cwd of the result");
        check.equal<string | null>(session.cwd, path, "cwd of the session");
        check.printed(
          await session.execute('printf "%s." "$PWD"'),
          `${path}.`,
          `the next command in ${name}`,
        );
      }
    },
  },
  "cwd-not-utf8": {
    title: "a directory whose name is not UTF-8 is remembered after a cd into it",
    rule: "field 7.6, quoting",
    async run({ check, session, folder }) {
      const path = await folder();
      const enter = `name=$(printf 'a\\377\\376b'); mkdir "${path}/$name" && cd "${path}/$name" && : >here`;
      check.exited(await session.execute(enter), 0);
      check.exited(await session.execute("[ -e here ]"), 0, "looking for a file in it");
      const result = await session.execute("printf '%s' \"$PWD\"");
      check.bytes(
        result.outputBytes,
        Buffer.concat([Buffer.from(`${path}/a`), Uint8Array.of(0xff, 0xfe), Buffer.from("b")]),
        "PWD",
      );
    },
  },
  "file-names": {
    title:
      "files whose names begin with a dash, hold a newline or are not UTF-8 can be made, listed and removed",
    rule: "field 7.6, quoting",
    async run({ check, session, folder }) {
      const path = await folder();
      const script =
        `cd ${path} && touch -- -rf "$(printf 'a\\nb')" "$(printf 'c\\377')" ' ' && ` +
        'set -- *; echo $#; for name in "$@"; do printf \'<%s>\' "$name"; done; rm -- *; ls -A';
      const result = await session.execute(`LC_ALL=C; ${script}`);
      check.exited(result, 0);
      const expected = Buffer.concat([
        Buffer.from("4\n< ><-rf><a\nb><c"),
        Uint8Array.of(0xff),
        Buffer.from(">"),
      ]);
      check.bytes(result.outputBytes, expected, "output");
    },
  },
});
