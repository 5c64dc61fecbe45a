import { createHash } from "node:crypto";
import { casesOf } from "../case.js";

const digestProgram = "{ sha256sum 2>/dev/null || shasum -a 256; }";

/** Bytes without a pattern that a lost or doubled block could hide in. */
function patternOf(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = 0x9e37_79b9;
  for (let at = 0; at + 4 <= length; at += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes.writeUInt32LE(state, at);
  }
  return bytes;
}

export const stdinGivenCases = casesOf("stdin", {
  text: {
    title: "text given as input arrives as UTF-8, followed by the end",
    rule: "SPEC 3.5",
    needs: ["stdin"],
    async run({ check, session }) {
      check.printed(
        await session.execute("cat; echo end", { stdin: "héllo €\nno newline" }),
        "héllo €\nno newlineend\n",
      );
    },
  },
  empty: {
    title: "empty input is the end at once",
    rule: "SPEC 3.5",
    needs: ["stdin"],
    async run({ check, session }) {
      check.printed(await session.execute("cat; echo end", { stdin: "" }), "end\n");
      check.printed(await session.execute("cat; echo end", { stdin: new Uint8Array() }), "end\n");
    },
  },
  "every-byte": {
    title: "all 256 values of a byte arrive as they were given",
    rule: "SPEC 3.5",
    needs: ["stdin"],
    async run({ check, session }) {
      const all = Uint8Array.from({ length: 1_024 }, (_, index) => index % 256);
      const result = await session.execute("cat", { stdin: all });
      check.exited(result, 0);
      check.bytes(result.outputBytes, all, "bytes that came back");
    },
  },
  "64-mebibytes": {
    title: "64 MiB of input arrive exactly",
    rule: "SPEC 3.5",
    needs: ["stdin"],
    alone: true,
    deadlineMs: 180_000,
    async run({ check, session, nextCommandWorks }) {
      const bytes = patternOf(64 * 1_048_576);
      const result = await session.execute(digestProgram, { stdin: bytes });
      check.exited(result, 0);
      check.includes(
        result.output,
        createHash("sha256").update(bytes).digest("hex"),
        "digest taken in the sandbox",
      );
      await nextCommandWorks();
    },
  },
  stream: {
    title: "a stream of input arrives exactly, piece by piece",
    rule: "SPEC 3.5",
    needs: ["stdin"],
    async run({ check, session }) {
      const bytes = patternOf(3_000_000);
      async function* pieces(): AsyncGenerator<Uint8Array | string> {
        yield "begin\n";
        for (let at = 0; at < bytes.length; at += 70_001) yield bytes.subarray(at, at + 70_001);
        await Promise.resolve();
        yield "";
        yield "end\n";
      }
      const whole = Buffer.concat([Buffer.from("begin\n"), bytes, Buffer.from("end\n")]);
      const result = await session.execute(digestProgram, { stdin: pieces() });
      check.exited(result, 0);
      check.includes(
        result.output,
        createHash("sha256").update(whole).digest("hex"),
        "digest taken in the sandbox",
      );
    },
  },
  dialogue: {
    title: "a stream can answer what the command has said",
    rule: "SPEC 3.5",
    needs: ["stdin"],
    async run({ check, session }) {
      let answer = (_line: string): void => undefined;
      const asked = new Promise<string>((resolve) => {
        answer = resolve;
      });
      async function* replies(): AsyncGenerator<string> {
        yield `${await asked} it is\n`;
      }
      const result = await session.execute('echo name?; read -r line; echo "got $line"', {
        stdin: replies(),
        onOutput: ({ bytes }) => answer(Buffer.from(bytes).toString().trim()),
      });
      check.printed(result, "name?\ngot name? it is\n");
    },
  },
  "half-close": {
    title: "after its input has ended a command goes on and is heard",
    rule: "field 6 E 103",
    needs: ["stdin"],
    async run({ check, session }) {
      const result = await session.execute("cat >/dev/null; echo ended; sleep 0.3; echo more; exit 3", {
        stdin: "x",
      });
      check.exited(result, 3);
      check.equal(result.output, "ended\nmore\n", "output");
    },
  },
  "not-read": {
    title: "a command that ends before it has read its input is no error",
    rule: "SPEC 3.5",
    needs: ["stdin"],
    async run({ check, session, nextCommandWorks }) {
      const much = Buffer.alloc(8_000_000, "x");
      check.exited(await session.execute("true", { stdin: much }), 0, "true");
      await nextCommandWorks();
      check.exited(await session.execute("exit 3", { stdin: much }), 3, "exit 3");
      await nextCommandWorks();
      check.printed(await session.execute("head -c 10", { stdin: much }), "xxxxxxxxxx");
      await nextCommandWorks();
    },
  },
  "not-leaked": {
    title: "input that was not read is not seen by the next command, nor run by a shell",
    rule: "SPEC 3.5",
    needs: ["stdin"],
    async run({ check, session, folder, observer }) {
      const path = await folder();
      const dangerous = `echo LEAKED\n: >${path}/ran\n`.repeat(2_000);
      check.exited(await session.execute("true", { stdin: dangerous }), 0);
      check.printed(await session.execute("cat; echo clean"), "clean\n");
      check.printed(await session.execute("read -r line; echo $line", { stdin: "a\nb\nc\n" }), "a\n");
      check.printed(await session.execute("cat; echo clean"), "clean\n");
      check.exited(
        await observer.execute(`[ -e ${path}/ran ]`),
        1,
        "looking for a trace of the input being run",
      );
    },
  },
  "slow-producer": {
    title: "a producer slower than the timeout is told to stop, and the command is ended",
    rule: "field 7.6, stdin",
    needs: ["stdin", "kill"],
    async run({ check, session, until, nextCommandWorks }) {
      let isStopped = false;
      const never: AsyncIterable<string> = {
        [Symbol.asyncIterator]: () => {
          let isFirst = true;
          return {
            next: () => {
              if (!isFirst) return new Promise<IteratorResult<string>>(() => undefined);
              isFirst = false;
              return Promise.resolve({ done: false, value: "first\n" });
            },
            return: () => {
              isStopped = true;
              return Promise.resolve({ done: true, value: undefined });
            },
          };
        },
      };
      const result = await session.execute("cat", { stdin: never, timeoutMs: 500, killGraceMs: 300 });
      check.timedOut(result);
      check.equal(result.output, "first\n", "output");
      await until("the producer to be told to stop", () => isStopped);
      await nextCommandWorks();
    },
  },
  "producer-not-needed": {
    title: "a producer whose command has ended is told to stop, and the call does not wait for it",
    rule: "SPEC 3.5",
    needs: ["stdin"],
    async run({ check, session, until, nextCommandWorks }) {
      let isStopped = false;
      async function* endless(): AsyncGenerator<Uint8Array> {
        try {
          for (;;) yield await Promise.resolve(Buffer.alloc(65_536, "x"));
        } finally {
          isStopped = true;
        }
      }
      check.printed(await session.execute("head -c 3", { stdin: endless() }), "xxx");
      await until("the producer to be told to stop", () => isStopped);
      await nextCommandWorks();
    },
  },
  "producer-that-throws": {
    title: "input that breaks off with an error fails the call with it: it is not taken for the end",
    rule: "SPEC 3.5",
    needs: ["stdin", "kill"],
    async run({ check, session, processes, mark, until, nextCommandWorks }) {
      const one = mark();
      async function* broken(): AsyncGenerator<string> {
        yield await Promise.resolve("half of it");
        throw new Error("the producer is broken");
      }
      const reason = await check.rejected(
        session.execute(`cat; sleep ${one}`, { stdin: broken() }),
        "a command whose input breaks off",
      );
      check.includes(
        `${String(reason)} ${reason instanceof Error ? String(reason.cause) : ""}`,
        "producer is broken",
        "error",
      );
      await until("its process to be gone", async () => !(await processes.isAlive(one)));
      await nextCommandWorks();
    },
  },
  "state-kept": {
    title: "a command that was given input leaves its directory and variables like any other",
    rule: "SPEC 3.11",
    needs: ["stdin", "state"],
    async run({ check, session, folder }) {
      const path = await folder();
      const result = await session.execute(`read -r line; export LINE=$line; cd ${path}; exit 4`, {
        stdin: "word\n",
      });
      check.exited(result, 4);
      check.printed(await session.execute('echo "$LINE $PWD"'), `word ${path}\n`);
    },
  },
});
