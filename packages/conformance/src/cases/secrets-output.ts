import { createHash } from "node:crypto";
import { readSpill, searchSpill } from "@talaria/core";
import { casesOf } from "../case.js";
import { freshSecret, windowsOf } from "../planted-secrets.js";

const shown = "[redacted:CASE_TOKEN]";

export const secretsOutputCases = casesOf("secrets", {
  "two-writes": {
    title:
      "a secret printed in two writes, with a pause between them, is seen neither in the result nor on the way",
    rule: "SPEC 9.3, chunk borders",
    async run({ check, openSession }) {
      const secret = freshSecret();
      const session = await openSession({ secrets: { CASE_TOKEN: secret } });
      for (const cut of [1, 9, secret.length - 1]) {
        let onTheWay = "";
        const script = `printf 'a %s' '${secret.slice(0, cut)}'; sleep 0.2; printf '%s b' '${secret.slice(cut)}'`;
        const result = await session.execute(script, {
          onOutput: ({ bytes }) => {
            onTheWay += Buffer.from(bytes).toString("latin1");
          },
        });
        check.printed(result, `a ${shown} b`, `cut after ${cut} bytes`);
        check.equal(onTheWay, `a ${shown} b`, `what came on the way, cut after ${cut} bytes`);
      }
    },
  },
  "byte-by-byte": {
    title: "a secret printed byte by byte is taken out whole",
    rule: "SPEC 9.3, chunk borders",
    async run({ check, openSession }) {
      const secret = freshSecret();
      const session = await openSession({ secrets: { CASE_TOKEN: secret } });
      const script = secret
        .split("")
        .map((character) => `printf %s '${character}'`)
        .join("\n");
      check.printed(await session.execute(script), shown);
    },
  },
  stderr: {
    title: "a secret on stderr is taken out, of streams apart and of streams together",
    rule: "SPEC 9.3",
    needs: ["separateStreams"],
    async run({ check, openSession }) {
      const secret = freshSecret();
      const session = await openSession({ secrets: { CASE_TOKEN: secret } });
      const script = `printf 'out ${secret}\\n'; printf 'err ${secret}\\n' >&2`;
      const together = await session.execute(script);
      check.printed(together, `out ${shown}\nerr ${shown}\n`);
      const apart = await session.execute(script, { separate: true });
      check.equal([apart.stdout, apart.stderr], [`out ${shown}\n`, `err ${shown}\n`], "the streams apart");
      for (const bytes of [apart.outputBytes, apart.stdoutBytes, apart.stderrBytes]) {
        check.excludes(Buffer.from(bytes ?? []).toString("latin1"), secret, "the bytes of the result");
      }
    },
  },
  disguised: {
    title: "a secret shown in base64, at any offset and in lines, or percent-encoded is taken out",
    rule: "SPEC 9.3",
    async run({ check, openSession, needsProgram }) {
      await needsProgram("base64");
      const secret = `${freshSecret()}&/ +${freshSecret()}`;
      const session = await openSession({ secrets: { CASE_TOKEN: secret } });
      for (const before of ["", "x", "xy", "a longer text before it: "]) {
        const result = await session.execute(`printf '%s%s tail' '${before}' '${secret}' | base64`);
        check.exited(result, 0);
        const decoded = Buffer.from(
          result.output.replaceAll(/\[redacted:\w+\]|\s/g, "AAAA"),
          "base64",
        ).toString("latin1");
        for (const part of windowsOf(secret)) check.excludes(decoded, part, "what is decoded again");
        check.includes(result.output, shown, "what is shown");
      }
      const encoded = await session.execute(`echo 'https://x.test/?k=${encodeURIComponent(secret)}'`);
      check.printed(encoded, `https://x.test/?k=${shown}\n`);
    },
  },
  "shell-forms": {
    title: "a secret is not seen in what the shell tells about its variables and its commands",
    rule: "SPEC 9.3",
    needs: ["state"],
    async run({ check, openSession }) {
      const secret = `${freshSecret()} $it's "quoted"`;
      const session = await openSession({ secrets: { CASE_TOKEN: secret } });
      const script =
        'export -p; declare -p CASE_TOKEN; set; printf "%q\\n" "$CASE_TOKEN"; set -x; : "$CASE_TOKEN"';
      const result = await session.execute(script, {
        env: { CASE_TOKEN: secret },
        maxOutputBytes: 4_000_000,
      });
      check.includes(result.output, shown, "what is shown");
      for (const part of windowsOf(secret.slice(0, 24))) check.excludes(result.output, part, "the output");
    },
  },
  "key-line-by-line": {
    title: "a secret of several lines is taken out whole, and line by line where lines are numbered",
    rule: "SPEC 9.3",
    async run({ check, openSession }) {
      const lines = Array.from({ length: 6 }, () => `${freshSecret()}${freshSecret()}`);
      const session = await openSession({ secrets: { CASE_KEY: `${lines.join("\n")}\n` } });
      const printed = `printf '%s\\n' ${lines.map((line) => `'${line}'`).join(" ")}`;
      check.printed(await session.execute(printed), "[redacted:CASE_KEY]\n");
      const numbered = await session.execute(`${printed} | sed 's/^/12: /'`);
      check.printed(numbered, "12: [redacted:CASE_KEY]\n".repeat(lines.length));
    },
  },
  spilled: {
    title:
      "a secret is not in what is kept of long output, wherever it stood, and the counts agree with what is kept",
    rule: "SPEC 3.6, 9.3",
    async run({ check, openSession }) {
      const secret = freshSecret();
      const session = await openSession({ secrets: { CASE_TOKEN: secret } });
      // Lines of all lengths, so that some secret stands across every border there is.
      const script = `n=0; while [ $n -lt 3000 ]; do n=$((n + 1)); echo "$n ${secret} $((n * n))"; done`;
      const result = await session.execute(script, { maxOutputBytes: 1_000 });
      check.exited(result, 0);
      const expected = Array.from({ length: 3_000 }, (_, at) => `${at + 1} ${shown} ${(at + 1) ** 2}\n`).join(
        "",
      );
      const truncated = check.present(result.truncated, "the account of what was dropped");
      check.equal(
        [truncated.totalBytes, truncated.totalBytes - truncated.droppedBytes],
        [expected.length, 1_000],
        "bytes in all and kept",
      );
      check.excludes(result.output, secret.slice(0, 10), "the head and the tail");
      const spill = check.present(truncated.spill, "the handle of the whole output");
      check.bytes(await readSpill(spill, 0, spill.bytes), Buffer.from(expected), "the whole output");
      check.equal(await searchSpill(spill, new RegExp(secret.slice(0, 10))), [], "a search for it");
    },
  },
  "rest-exact": {
    title: "what is no secret passes byte by byte, however binary it is",
    rule: "SPEC 3.6, 9.3",
    async run({ check, openSession }) {
      const session = await openSession({
        secrets: { CASE_TOKEN: freshSecret(), CASE_OTHER: "\u00e9\u00e8-secret-\u20ac" },
      });
      const all = '$(printf "\\\\%03o" $n)';
      const script = `r=0; while [ $r -lt 40 ]; do r=$((r + 1)); n=0; while [ $n -lt 256 ]; do printf "${all}"; n=$((n + 1)); done; done`;
      const digest = createHash("sha256");
      let count = 0;
      const result = await session.execute(script, {
        onOutput: ({ bytes }) => {
          digest.update(bytes);
          count += bytes.length;
        },
      });
      check.exited(result, 0);
      const expected = Buffer.concat(
        Array.from({ length: 40 }, () => Buffer.from(Array.from({ length: 256 }, (_, at) => at))),
      );
      check.equal(count, expected.length, "bytes");
      check.equal(digest.digest("hex"), createHash("sha256").update(expected).digest("hex"), "their digest");
    },
  },
  "prompt-passes": {
    title: "a prompt without a line break is passed on while its command still runs",
    rule: "SPEC 9.3, held back is only what could begin a secret",
    needs: ["concurrency"],
    async run({ check, openSession, observer, folder, until }) {
      const session = await openSession({ secrets: { CASE_TOKEN: freshSecret() } });
      const path = await folder();
      let seen = "";
      const running = session.execute(`printf 'go on? '; until [ -e ${path}/go ]; do sleep 0.05; done`, {
        onOutput: ({ bytes }) => {
          seen += Buffer.from(bytes).toString();
        },
      });
      await until("the prompt to be seen", () => seen === "go on? ");
      check.exited(await observer.execute(`: >${path}/go`), 0);
      check.printed(await running, "go on? ");
    },
  },
  "timed-out": {
    title: "a secret printed before a timeout is in neither the result nor the error",
    rule: "SPEC 3.4, 9.3",
    needs: ["kill"],
    async run({ check, openSession, mark }) {
      const secret = freshSecret();
      const session = await openSession({ secrets: { CASE_TOKEN: secret } });
      const script = `echo ${secret}; printf '${secret.slice(0, 12)}'; sleep ${mark()}`;
      const result = await session.execute(script, { timeoutMs: 500, killGraceMs: 100 });
      check.timedOut(result);
      check.includes(result.output, shown, "the output");
      check.excludes(JSON.stringify(result), secret, "the result");
      const error = await check.rejects(
        Promise.resolve().then(() => result.orThrow()),
        "command_failed",
        "orThrow()",
      );
      check.excludes(`${error.message} ${error.hint} ${error.stack}`, secret, "the error");
    },
  },
});
