import { casesOf } from "../case.js";

const lines = 400;

function numbered(prefix: string): string {
  return Array.from({ length: lines }, (_, index) => `${prefix}${index}\n`).join("");
}

const talkOnBoth = `n=0; while [ $n -lt ${lines} ]; do echo o$n; echo e$n >&2; n=$((n + 1)); done`;

export const outputOrderCases = casesOf("output", {
  "merged-order": {
    title: "both streams are merged in exactly the order in which they were written",
    rule: "SPEC 3.1",
    async run({ check, session }) {
      const result = await session.execute(talkOnBoth);
      const expected = Array.from({ length: lines }, (_, index) => `o${index}\ne${index}\n`).join("");
      check.printed(result, expected);
      check.equal(result.ordered, true, "ordered");
    },
  },
  "merged-order-of-programs": {
    title: "the order holds between programs, too",
    rule: "SPEC 3.1",
    async run({ check, session }) {
      const script = "sh -c 'echo a; echo b >&2; echo c'; sh -c 'echo d >&2; echo e'; echo f >&2";
      for (let round = 0; round < 20; round += 1) {
        check.printed(await session.execute(script), "a\nb\nc\nd\ne\nf\n", `round ${round}`);
      }
    },
  },
  apart: {
    title: "asked for apart, each stream is exact and the output is marked as not ordered",
    rule: "SPEC 3.1",
    needs: ["separateStreams"],
    async run({ check, session }) {
      const result = await session.execute(talkOnBoth, { separate: true });
      check.exited(result, 0);
      check.equal(result.stdout, numbered("o"), "stdout");
      check.equal(result.stderr, numbered("e"), "stderr");
      check.equal(result.ordered, false, "ordered");
      check.equal(result.outputBytes.length, numbered("o").length + numbered("e").length, "bytes of both");
    },
  },
  "apart-absent": {
    title: "stdout and stderr are absent from a result that was not asked for them",
    rule: "SPEC 3.1",
    async run({ check, session }) {
      const result = await session.execute("echo a; echo b >&2");
      check.printed(result, "a\nb\n");
      check.equal([result.stdout, result.stderr], [undefined, undefined], "stdout and stderr");
    },
  },
  "stderr-megabytes-first": {
    title: "megabytes on stderr before a word on stdout block nothing and lose nothing",
    rule: "DESIGN, the warm shell",
    needs: ["separateStreams"],
    async run({ check, session, nextCommandWorks }) {
      const result = await session.execute("head -c 3000000 /dev/zero >&2; echo out; exit 2", {
        separate: true,
        maxOutputBytes: 8_000_000,
      });
      check.exited(result, 2);
      check.equal(result.stdout, "out\n", "stdout");
      check.equal(result.stderrBytes?.length, 3_000_000, "bytes of stderr");
      await nextCommandWorks();
    },
  },
  "chunks-are-the-output": {
    title: "the pieces handed on as they come are together exactly the output",
    rule: "SPEC 3.1",
    needs: ["separateStreams"],
    async run({ check, session }) {
      const seen: Record<string, Uint8Array[]> = { output: [], stdout: [], stderr: [] };
      const keep = ({ stream, bytes }: { stream: string; bytes: Uint8Array }): void => {
        seen[stream]?.push(Uint8Array.from(bytes));
      };
      const merged = await session.execute(talkOnBoth, { onOutput: keep });
      check.bytes(Buffer.concat(seen["output"] ?? []), merged.outputBytes, "merged pieces");
      const apart = await session.execute(talkOnBoth, { separate: true, onOutput: keep });
      check.bytes(Buffer.concat(seen["stdout"] ?? []), Buffer.from(apart.stdout ?? ""), "pieces of stdout");
      check.bytes(Buffer.concat(seen["stderr"] ?? []), Buffer.from(apart.stderr ?? ""), "pieces of stderr");
    },
  },
  "opened-again": {
    title: "a script can open its own streams again by their names, as programs with -o /dev/stdout do",
    rule: "field 7.6, output",
    async run({ check, session }) {
      const script =
        "echo a >/dev/stdout; echo b >/dev/stderr; echo c | tee /dev/stderr; echo d >>/proc/self/fd/1";
      check.printed(await session.execute(script), "a\nb\nc\nc\nd\n");
    },
  },
  "as-it-comes": {
    title: "output is handed on while the command still runs",
    rule: "SPEC 3.1",
    needs: ["concurrency"],
    async run({ check, session, observer, folder }) {
      const path = await folder();
      let answered: Promise<unknown> | undefined;
      // The command waits for what only someone who has seen its first line can do.
      const result = await session.execute(
        `echo first; until [ -e ${path}/seen ]; do sleep 0.05; done; echo second`,
        {
          onOutput: () => {
            answered ??= observer.execute(`: >${path}/seen`);
          },
        },
      );
      await answered;
      check.printed(result, "first\nsecond\n");
    },
  },
});
