import { casesOf } from "../case.js";
import { timed } from "../stopwatch.js";

export const completionEndCases = casesOf("completion", {
  "no-output": {
    title: "a command that prints nothing has an empty output and no first byte",
    rule: "SPEC 3.1",
    async run({ check, session }) {
      const result = await session.execute("true");
      check.printed(result, "");
      check.equal(result.outputBytes.length, 0, "bytes of output");
      check.equal(result.timing.firstByteMs, null, "time of the first byte");
      check.equal(result.truncated, undefined, "truncation");
    },
  },
  "one-byte": {
    title: "a single byte without a newline arrives as it is",
    rule: "SPEC 3.1",
    async run({ check, session }) {
      const result = await session.execute("printf x");
      check.printed(result, "x");
      check.that(result.timing.firstByteMs !== null, "expected a time of the first byte");
    },
  },
  "no-newline": {
    title: "output without a newline at its end gets none",
    rule: "DESIGN, the warm shell",
    async run({ check, session, nextCommandWorks }) {
      check.printed(await session.execute("printf 'a\\nb'; printf c >&2"), "a\nbc");
      await nextCommandWorks();
    },
  },
  "thousand-true": {
    title: "a thousand commands in a row each end with their own status and nothing else",
    rule: "field 7.6, completion",
    deadlineMs: 120_000,
    async run({ check, session }) {
      for (let index = 0; index < 1_000; index += 1) {
        const result = await session.execute(index % 2 === 0 ? "true" : `exit ${index % 125}`);
        check.exited(result, index % 2 === 0 ? 0 : index % 125, `command ${index}`);
        check.equal(result.output, "", `output of command ${index}`);
      }
    },
  },
  "quick-output": {
    title: "nothing is lost of what a program writes in the moment it ends, on either stream",
    rule: "field 6 D 88",
    needs: ["separateStreams"],
    async run({ check, session }) {
      for (let index = 0; index < 60; index += 1) {
        const result = await session.execute(`sh -c 'echo out${index}; echo err${index} >&2'`, {
          separate: true,
        });
        check.exited(result, 0);
        check.equal(result.stdout, `out${index}\n`, "stdout");
        check.equal(result.stderr, `err${index}\n`, "stderr");
      }
    },
  },
  "full-pipe": {
    title: "nothing is lost of a pipe's fill written in the moment of the end",
    rule: "field 6 D 91",
    async run({ check, session }) {
      for (let index = 0; index < 30; index += 1) {
        const result = await session.execute("head -c 65536 /dev/zero | tr '\\0' x");
        check.equal(result.outputBytes.length, 65_536, "bytes of output");
        check.exited(result, 0);
      }
    },
  },
  "foreground-waited": {
    title: "a foreground pipeline and a subshell are waited for",
    rule: "SPEC 3.9",
    async run({ check, session }) {
      check.printed(await session.execute("(sleep 0.3; echo inner) | cat; echo end"), "inner\nend\n");
    },
  },
  "streams-closed-early": {
    title: "a command that closes its streams and works on is over when its process ends, not before",
    rule: "DESIGN, decision 3",
    async run({ check, session, folder, observer }) {
      const path = await folder();
      const result = await session.execute(`exec >&- 2>&-; sleep 0.5; : >${path}/done; exit 3`);
      check.exited(result, 3);
      check.exited(
        await observer.execute(`[ -e ${path}/done ]`),
        0,
        "the work done after closing the streams",
      );
    },
  },
  "timing-order": {
    title: "the times of a result are in order and within the time the call took",
    rule: "SPEC 3.1",
    async run({ check, session }) {
      const { value: result, ms } = await timed(() => session.execute("echo one; sleep 0.2; echo two"));
      const { queuedMs, connectMs, firstByteMs, exitMs, drainedMs } = result.timing;
      const first = check.present(firstByteMs, "time of the first byte");
      check.that(
        0 <= queuedMs &&
          queuedMs <= connectMs &&
          connectMs <= first &&
          first <= exitMs &&
          exitMs <= drainedMs,
        `expected queued ≤ connect ≤ first byte ≤ exit ≤ drained, got ${JSON.stringify(result.timing)}`,
      );
      check.atLeast(exitMs - first, 150, "milliseconds from the first byte to the exit of a sleep of 200");
      check.atMost(drainedMs, ms + 1, "milliseconds until drained");
    },
  },
  "silent-minutes": {
    title: "a command that is silent for six minutes is not taken for dead",
    rule: "field 7.6, time",
    long: true,
    deadlineMs: 480_000,
    async run({ check, session }) {
      const result = await session.execute("sleep 360; echo awake; exit 4", { timeoutMs: 420_000 });
      check.exited(result, 4);
      check.equal(result.output, "awake\n", "output");
    },
  },
  "chatty-minutes": {
    title: "a command that talks for six minutes loses no line",
    rule: "field 7.6, time",
    long: true,
    deadlineMs: 480_000,
    async run({ check, session }) {
      let seen = 0;
      const result = await session.execute(
        "n=0; while [ $n -lt 3600 ]; do n=$((n + 1)); echo line $n; sleep 0.1; done; exit 4",
        {
          timeoutMs: 470_000,
          onOutput: (chunk) => {
            seen += chunk.bytes.length;
          },
        },
      );
      check.exited(result, 4);
      const expected = Array.from({ length: 3_600 }, (_, index) => `line ${index + 1}\n`).join("");
      check.equal(result.output, expected, "output");
      check.equal(seen, expected.length, "bytes seen as they came");
    },
  },
  "silent-session": {
    title: "a session that is left alone for six minutes works on",
    rule: "field 7.6, time",
    long: true,
    deadlineMs: 480_000,
    async run({ check, session, nextCommandWorks }) {
      check.exited(await session.execute("export KEPT=yes"), 0);
      await new Promise((resolve) => setTimeout(resolve, 360_000));
      check.printed(await session.execute("echo $KEPT"), "yes\n");
      await nextCommandWorks();
    },
  },
});
