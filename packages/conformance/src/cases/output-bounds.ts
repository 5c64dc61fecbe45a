import { createHash } from "node:crypto";
import { readSpill, searchSpill } from "@talaria/core";
import { casesOf } from "../case.js";

/** `line 1` to `line <count>`, as `seq` and the shell print them. */
function numberedLines(count: number): string {
  return Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");
}

function printLines(count: number): string {
  return `n=0; while [ $n -lt ${count} ]; do n=$((n + 1)); echo line $n; done`;
}

export const outputBoundsCases = casesOf("output", {
  "head-and-tail": {
    title:
      "of too much output 40 % of the head and 60 % of the tail are kept, and the rest is counted exactly",
    rule: "SPEC 3.6",
    async run({ check, session }) {
      const whole = numberedLines(3_000);
      const result = await session.execute(printLines(3_000), { maxOutputBytes: 1_000 });
      check.exited(result, 0);
      check.that(result.output.startsWith(whole.slice(0, 400)), "expected the first 400 bytes at the head");
      check.that(result.output.endsWith(whole.slice(-600)), "expected the last 600 bytes at the tail");
      check.that(!result.output.includes(whole.slice(0, 420)), "expected no more than 400 bytes of the head");
      const truncated = check.present(result.truncated, "the account of what was dropped");
      check.equal(truncated.totalBytes, whole.length, "bytes written in all");
      check.equal(truncated.droppedBytes, whole.length - 1_000, "bytes dropped");
    },
  },
  "exactly-full": {
    title: "output of exactly the limit is whole, and one byte more is one byte dropped",
    rule: "SPEC 3.6",
    async run({ check, session }) {
      const full = await session.execute("head -c 5000 /dev/zero | tr '\\0' x", { maxOutputBytes: 5_000 });
      check.printed(full, "x".repeat(5_000));
      check.equal(full.truncated, undefined, "truncation at the limit");
      const over = await session.execute("head -c 5001 /dev/zero | tr '\\0' x", { maxOutputBytes: 5_000 });
      const truncated = check.present(over.truncated, "the account of what was dropped");
      check.equal([truncated.totalBytes, truncated.droppedBytes], [5_001, 1], "bytes in all and dropped");
    },
  },
  "cut-between-characters": {
    title: "the cut falls between characters, and what it costs is counted",
    rule: "SPEC 3.6",
    async run({ check, session }) {
      for (const character of ["é", "€", "😀"]) {
        for (const maxOutputBytes of [1_000, 1_001, 1_002, 1_003]) {
          const script = `n=0; while [ $n -lt 1000 ]; do n=$((n + 1)); printf '%s' ${character}; done`;
          const result = await session.execute(script, { maxOutputBytes });
          const what = `${character} cut at ${maxOutputBytes}`;
          check.excludes(result.output, "\uFFFD", what);
          const truncated = check.present(result.truncated, `${what}: the account of what was dropped`);
          const size = Buffer.byteLength(character);
          check.equal(truncated.totalBytes, 1_000 * size, `${what}: bytes in all`);
          const kept = truncated.totalBytes - truncated.droppedBytes;
          check.equal(kept % size, 0, `${what}: bytes kept of a broken character`);
          check.that(
            kept <= maxOutputBytes && kept > maxOutputBytes - 3 * size,
            `${what}: ${kept} bytes kept`,
          );
          check.equal(result.output.split(character).length - 1, kept / size, `${what}: characters kept`);
        }
      }
    },
  },
  "default-limit": {
    title: "without a limit of its own a command keeps 200,000 bytes of output",
    rule: "SPEC 3.6",
    async run({ check, session }) {
      const whole = await session.execute("head -c 200000 /dev/zero | tr '\\0' x");
      check.equal([whole.truncated, whole.output.length], [undefined, 200_000], "200,000 bytes");
      const over = await session.execute("head -c 200100 /dev/zero | tr '\\0' x");
      check.equal(over.truncated?.droppedBytes, 100, "bytes dropped of 200,100");
    },
  },
  "bounds-apart": {
    title: "each stream asked for apart is bounded, and the streamed pieces are not",
    rule: "SPEC 3.6",
    needs: ["separateStreams"],
    async run({ check, session }) {
      let seen = 0;
      const result = await session.execute("head -c 500000 /dev/zero; head -c 500000 /dev/zero >&2", {
        separate: true,
        maxOutputBytes: 10_000,
        onOutput: ({ bytes }) => {
          seen += bytes.length;
        },
      });
      check.exited(result, 0);
      check.equal(seen, 1_000_000, "bytes handed on");
      check.equal(result.truncated?.totalBytes, 1_000_000, "bytes in all");
      check.atMost(result.stdoutBytes?.length ?? Infinity, 12_000, "bytes of stdout kept");
      check.atMost(result.stderrBytes?.length ?? Infinity, 12_000, "bytes of stderr kept");
    },
  },
  "spilled-whole": {
    title: "what is not kept can be read page by page and searched, whole and exact",
    rule: "SPEC 3.6",
    async run({ check, session }) {
      const whole = Buffer.from(numberedLines(5_000));
      const result = await session.execute(printLines(5_000), { maxOutputBytes: 1_000 });
      const spill = check.present(result.truncated?.spill, "the handle of the whole output");
      check.equal([spill.bytes, spill.complete], [whole.length, true], "bytes kept, complete");
      const pages: Buffer[] = [];
      for (let at = 0; at < spill.bytes; at += 7_001) pages.push(await readSpill(spill, at, 7_001));
      check.bytes(Buffer.concat(pages), whole, "the pages together");
      check.equal((await readSpill(spill, spill.bytes, 100)).length, 0, "bytes beyond the end");
      check.equal(await searchSpill(spill, /^line 4321$/), [{ line: 4_321, text: "line 4321" }], "a search");
    },
  },
  "spilled-bytes": {
    title: "what is not kept is kept as bytes, both streams of them",
    rule: "SPEC 3.6",
    async run({ check, session }) {
      const block = "head -c 300000 /dev/zero | tr '\\0' '\\377'; head -c 300000 /dev/zero >&2";
      const result = await session.execute(block, { maxOutputBytes: 10_000 });
      const spill = check.present(result.truncated?.spill, "the handle of the whole output");
      const expected = Buffer.concat([Buffer.alloc(300_000, 0xff), Buffer.alloc(300_000)]);
      const digest = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
      check.equal(
        digest(await readSpill(spill, 0, spill.bytes)),
        digest(expected),
        "digest of the whole output",
      );
    },
  },
  "long-line": {
    title: "a line of a megabyte without an end arrives whole",
    rule: "DESIGN, the warm shell",
    async run({ check, session, nextCommandWorks }) {
      const result = await session.execute("head -c 1048576 /dev/zero | tr '\\0' y; exit 2", {
        maxOutputBytes: 2_000_000,
      });
      check.exited(result, 2);
      check.that(
        result.output === "y".repeat(1_048_576),
        `expected 1,048,576 times y, got ${result.output.length} bytes`,
      );
      await nextCommandWorks();
    },
  },
  "burst-in-bounded-memory": {
    title: "a burst of 100 MB is counted exactly and costs this host less than 64 MiB of memory",
    rule: "DESIGN, decision 9",
    alone: true,
    deadlineMs: 180_000,
    async run({ check, session, nextCommandWorks }) {
      const burst = async (bytes: number): Promise<number> => {
        let highest = 0;
        const result = await session.execute(`head -c ${bytes} /dev/zero; exit 3`, {
          onOutput: () => {
            highest = Math.max(highest, process.memoryUsage.rss());
          },
        });
        check.exited(result, 3);
        check.equal(result.truncated?.totalBytes, bytes, "bytes in all");
        check.atMost(result.outputBytes.length, 210_000, "bytes kept");
        return highest;
      };
      // What buffers cost once is not growth: the first burst pays it.
      const before = await burst(16_000_000);
      const during = await burst(100_000_000);
      check.atMost(Math.round((during - before) / 1_048_576), 64, "MiB of memory grown");
      await nextCommandWorks();
    },
  },
  "back-pressure": {
    title: "a consumer that does not keep up holds the command back and gets every byte, one piece at a time",
    rule: "DESIGN, decision 9",
    needs: ["concurrency"],
    deadlineMs: 90_000,
    async run({ check, session, observer, folder, until }) {
      const path = await folder();
      const rounds = 100;
      const script =
        `n=0; while [ $n -lt ${rounds} ]; do head -c 1000000 /dev/zero; n=$((n + 1)); echo $n >${path}/new; ` +
        `mv ${path}/new ${path}/count; done`;
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      let [seen, running, mostAtOnce] = [0, 0, 0];
      const flood = session.execute(script, {
        async onOutput({ bytes }) {
          running += 1;
          mostAtOnce = Math.max(mostAtOnce, running);
          seen += bytes.length;
          await held;
          running -= 1;
        },
      });
      let last = -1;
      await until("the flood to stand still", async () => {
        const count = Number(
          (await observer.execute(`sleep 0.4; cat ${path}/count 2>/dev/null || echo 0`)).output,
        );
        const isStill = seen > 0 && count === last;
        last = count;
        return isStill;
      });
      check.that(last < rounds, "the command wrote all of it while nobody took it");
      release();
      check.exited(await flood, 0);
      check.equal(seen, rounds * 1_000_000, "bytes handed on");
      check.equal(mostAtOnce, 1, "pieces handed on at a time");
    },
  },
  "consumer-that-throws": {
    title: "a consumer that throws ends its own command with its error, not the session",
    rule: "DESIGN, decision 4",
    needs: ["kill"],
    async run({ check, session, processes, mark, until, nextCommandWorks }) {
      const one = mark();
      const reason = await check.rejected(
        session.execute(`echo ready; sleep ${one}`, {
          onOutput: () => {
            throw new Error("the consumer is broken");
          },
        }),
        "a command whose consumer throws",
      );
      check.includes(
        `${String(reason)} ${reason instanceof Error ? String(reason.cause) : ""}`,
        "consumer is broken",
        "error",
      );
      await until("its process to be gone", async () => !(await processes.isAlive(one)));
      await nextCommandWorks();
    },
  },
});
