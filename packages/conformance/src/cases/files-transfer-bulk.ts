import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CaseContext } from "../case-context.js";
import { casesOf } from "../case.js";
import { onHost } from "../on-host.js";

/** What is in a folder of the sandbox, hidden names too, one a line. */
async function namesIn({ observer }: Pick<CaseContext, "observer">, path: string): Promise<string> {
  return (await observer.execute("ls -A", { workdir: path })).output;
}

async function makeLargeFile(path: string, mebibytes: number): Promise<string> {
  const hash = createHash("sha256");
  const file = createWriteStream(path);
  const block = Buffer.alloc(1_048_576);
  for (let at = 0; at < mebibytes; at++) {
    block.fill(`block ${at} `);
    hash.update(block);
    if (!file.write(Buffer.from(block))) await once(file, "drain");
  }
  file.end();
  await once(file, "close");
  return hash.digest("hex");
}

export const filesTransferBulkCases = casesOf("files", {
  "transfer-10000-files": {
    title: "a tree of 10,000 files goes up and comes down, whole",
    rule: "SPEC 5.3",
    alone: true,
    deadlineMs: 180_000,
    async run({ check, session, folder }) {
      const inside = await folder();
      await onHost(async (host) => {
        for (let at = 0; at < 10_000; at++) {
          if (at % 500 === 0) await mkdir(join(host, `t/${at / 500}`), { recursive: true });
          await writeFile(join(host, `t/${Math.floor(at / 500)}/${at}`), `${at}\n`);
        }
        const calls: number[] = [];
        const up = await session.files.upload(join(host, "t"), inside, {
          onProgress: ({ files }) => calls.push(files),
        });
        check.equal([up.files, up.directories], [10_000, 20], "what went up");
        check.equal(calls.at(-1), 10_000, "files that the last progress told");
        check.printed(
          await session.execute("find t -type f | wc -l | tr -d ' '; cat t/19/9999", { workdir: inside }),
          "10000\n9999\n",
        );
        const down = await session.files.download(`${inside}/t`, join(host, "back"));
        check.equal([down.files, down.directories], [10_000, 20], "what came down");
        check.equal(await readFile(join(host, "back/7/3777"), "utf8"), "3777\n", "one of them");
      });
    },
  },
  "transfer-100-mebibytes": {
    title: "100 MiB go up and come down in constant memory, and agree on their SHA-256",
    rule: "SPEC 5.3",
    alone: true,
    deadlineMs: 180_000,
    needs: ["spawn"],
    async run({ check, session, folder }) {
      const inside = await folder();
      await onHost(async (host) => {
        const digest = await makeLargeFile(join(host, "large"), 100);
        const before = process.memoryUsage.rss();
        let most = before;
        const look = (): void => void (most = Math.max(most, process.memoryUsage.rss()));
        const up = await session.files.upload(join(host, "large"), inside, {
          verify: true,
          onProgress: look,
        });
        await session.files.download(`${inside}/large`, join(host, "back"), {
          verify: true,
          onProgress: look,
        });
        check.equal(up.bytes, 104_857_600, "bytes");
        check.atMost(most - before, 80 * 1_048_576, "growth of memory");
        const hash = createHash("sha256");
        for await (const piece of createReadStream(join(host, "back"))) hash.update(piece as Buffer);
        check.equal(hash.digest("hex"), digest, "digest of what came back");
      });
    },
  },
  "transfer-cancel": {
    title: "a transfer that is cancelled in the middle leaves nothing on either side, and the next one works",
    rule: "SPEC 5.3",
    needs: ["spawn"],
    deadlineMs: 120_000,
    async run(context) {
      const { check, session, folder, until } = context;
      const inside = await folder();
      await onHost(async (host) => {
        await makeLargeFile(join(host, "large"), 64);
        await mkdir(join(host, "t"));
        await makeLargeFile(join(host, "t/a"), 32);
        await makeLargeFile(join(host, "t/b"), 32);
        for (const name of ["large", "t"]) {
          const cancel = new AbortController();
          // The first call comes with the first piece, long before the last.
          const onProgress = (): void => cancel.abort(new Error("enough"));
          await check.rejected(
            session.files.upload(join(host, name), inside, { onProgress, signal: cancel.signal }),
            `an upload of ${name}`,
          );
          await until(`nothing to be left of ${name}`, async () => (await namesIn(context, inside)) === "");
        }
        await session.files.upload(join(host, "t"), inside);
        await mkdir(join(host, "down"));
        for (const name of ["t", "t/a"]) {
          const cancel = new AbortController();
          // The first call comes with the first piece, long before the last.
          const onProgress = (): void => cancel.abort(new Error("enough"));
          await check.rejected(
            session.files.download(`${inside}/${name}`, join(host, "down"), {
              onProgress,
              signal: cancel.signal,
            }),
            `a download of ${name}`,
          );
          check.equal(await readdir(join(host, "down")), [], `what is left of ${name}`);
        }
        await session.files.download(`${inside}/t`, join(host, "down"));
        check.equal((await readdir(join(host, "down/t"))).sort(), ["a", "b"], "the next one");
      });
    },
  },
  "transfer-full-disk": {
    title: "a transfer that finds no room says so and leaves nothing",
    rule: "field 7.6, files",
    async run({ check, session, folder }) {
      const inside = await folder();
      await onHost(async (host) => {
        await writeFile(join(host, "f"), "x".repeat(3_000_000));
        await mkdir(join(host, "t"));
        await writeFile(join(host, "t/f"), "x".repeat(3_000_000));
        // Fewer programs can fill a disk than can be full: one that fails as on a full one stands in for it.
        await session.execute(
          `mkdir bin; for name in cat tar; do printf '#!/bin/sh\\necho "%s: write error: No space left on device" >&2\\nexit 1\\n' $name >bin/$name; chmod 755 bin/$name; done; mkdir to; export PATH="$PWD/bin:$PATH"; cd /`,
          { workdir: inside },
        );
        for (const name of ["f", "t"]) {
          const error = await check.rejects(
            session.files.upload(join(host, name), `${inside}/to`),
            "file",
            `an upload of ${name}`,
          );
          check.equal("reason" in error && error.reason, "no_space", `reason for ${name}`);
        }
        check.printed(await session.execute("ls -A", { workdir: `${inside}/to` }), "");
      });
    },
  },
  "transfer-copy": {
    title: "a tree and a file are copied from one session to another, stream to stream",
    rule: "SPEC 5.1",
    async run({ check, session, observer, folder }) {
      const [from, to] = [await folder(), await folder()];
      await session.execute("mkdir -p t/d; echo x >t/d/f; ln -s d/f t/l", { workdir: from });
      await session.files.copyTo(`${from}/t`, observer.files, to);
      await session.files.copyTo(`${from}/t/d/f`, observer.files, `${to}/alone`, { verify: true });
      check.printed(
        await observer.execute("cat t/l alone; readlink t/l; ls -A", { workdir: to }),
        "x\nx\nd/f\nalone\nt\n",
      );
    },
  },
  "transfer-standing": {
    title: "a relative path of the sandbox is relative to where the session stands",
    rule: "SPEC 2.7",
    async run({ check, session, folder }) {
      const inside = await folder();
      await session.execute("mkdir here; cd here", { workdir: inside });
      await session.execute(`cd '${inside}/here'`);
      await onHost(async (host) => {
        await writeFile(join(host, "f"), "x\n");
        const { path } = await session.files.upload(join(host, "f"), "g");
        check.equal(path, `${inside}/here/g`, "where it landed");
        await session.files.download("g", join(host, "back"));
        check.equal(await readFile(join(host, "back"), "utf8"), "x\n", "content");
      });
    },
  },
});
