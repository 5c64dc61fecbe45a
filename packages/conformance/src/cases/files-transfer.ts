import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CaseContext } from "../case-context.js";
import { casesOf } from "../case.js";
import { hardNames } from "../hard-names.js";

/** A folder of this machine, removed afterwards. */
export async function onHost<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "talaria-conformance-"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

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

export const filesTransferCases = casesOf("files", {
  "transfer-file": {
    title: "a file goes up and comes down byte-exact, with its mode and its time",
    rule: "SPEC 5.1",
    async run({ check, session, folder }) {
      const inside = await folder();
      await onHost(async (host) => {
        const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 7) % 256);
        await writeFile(join(host, "f"), bytes, { mode: 0o640 });
        await utimes(join(host, "f"), 1_000_000_000, 1_000_000_000);
        const up = await session.files.upload(join(host, "f"), `${inside}/g`);
        check.equal(up.path, `${inside}/g`, "where it landed");
        check.printed(
          await session.execute("wc -c <g | tr -d ' '; ls -l g | cut -c1-10", { workdir: inside }),
          "300000\n-rw-r-----\n",
        );
        await session.files.download(`${inside}/g`, join(host, "back"));
        check.bytes(await readFile(join(host, "back")), bytes, "bytes that came back");
        const { mode, mtimeMs } = await stat(join(host, "back"));
        check.equal(mode & 0o777, 0o640, "mode");
        check.equal(Math.trunc(mtimeMs / 1000), 1_000_000_000, "time");
      });
    },
  },
  "transfer-empty": {
    title: "an empty file and an empty directory arrive",
    rule: "SPEC 5.3",
    async run({ check, session, folder }) {
      const inside = await folder();
      await onHost(async (host) => {
        await mkdir(join(host, "t/empty"), { recursive: true });
        await writeFile(join(host, "t/none"), "");
        await session.files.upload(join(host, "t"), inside);
        await session.files.upload(join(host, "t/none"), `${inside}/alone`);
        check.printed(
          await session.execute("ls t; ls -A t/empty; wc -c <alone | tr -d ' '", { workdir: inside }),
          "empty\nnone\n0\n",
        );
        await session.files.download(`${inside}/t`, join(host, "back"));
        check.equal((await readdir(join(host, "back"))).sort(), ["empty", "none"], "names");
      });
    },
  },
  "transfer-names": {
    title:
      "names with spaces, quotes, newlines and a leading dash come through, as names of files and as targets",
    rule: "SPEC 5.3",
    async run({ check, session, folder }) {
      const inside = await folder();
      await onHost(async (host) => {
        await mkdir(join(host, "t"));
        for (const name of hardNames) await writeFile(join(host, "t", name), name);
        const result = await session.files.upload(join(host, "t"), `${inside}/-t 'x'`);
        check.equal(result.files, hardNames.length, "files");
        await session.files.download(`${inside}/-t 'x'`, join(host, "back"));
        for (const name of hardNames) {
          check.equal(
            await readFile(join(host, "back", name), "utf8"),
            name,
            `content of ${JSON.stringify(name)}`,
          );
        }
        const plain = await folder();
        for (const name of hardNames) await session.files.upload(join(host, "t", name), plain);
        await session.files.download(`${plain}/`, join(host, "singly"));
        check.equal((await readdir(join(host, "singly"))).sort(), [...hardNames].sort(), "names sent singly");
      });
    },
  },
  "transfer-bytes": {
    title: "names that are no UTF-8 come through",
    rule: "SPEC 5.3",
    async run({ check, session, folder }) {
      const inside = await folder();
      await onHost(async (host) => {
        await mkdir(join(host, "t"));
        await writeFile(Buffer.from(`${host}/t/n\xff\xfe`, "latin1"), "bytes");
        await session.files.upload(join(host, "t"), inside);
        check.printed(await session.execute(`cat t/"$(printf 'n\\377\\376')"`, { workdir: inside }), "bytes");
        await session.files.download(`${inside}/t`, join(host, "back"));
        const names = await readdir(join(host, "back"), { encoding: "buffer" });
        check.equal(
          names.map((name) => name.toString("latin1")),
          ["n\xff\xfe"],
          "names",
        );
      });
    },
  },
  "transfer-links": {
    title: "links stay links and are never followed; hard links stay hard",
    rule: "SPEC 5.2",
    async run({ check, session, folder }) {
      const inside = await folder();
      await onHost(async (host) => {
        await mkdir(join(host, "t/d"), { recursive: true });
        await writeFile(join(host, "secret"), "not to be seen");
        await writeFile(join(host, "t/f"), "x");
        await symlink("../f", join(host, "t/d/inside"));
        await symlink("../secret", join(host, "t/outside"));
        await session.files.upload(join(host, "t"), inside);
        check.printed(
          await session.execute(
            "readlink d/inside outside; cat d/inside; [ -e outside ] || echo dangling; rm outside; ln f h",
            { workdir: `${inside}/t` },
          ),
          "../f\n../secret\nxdangling\n",
        );
        await session.files.download(`${inside}/t`, join(host, "back"));
        check.equal(await readlink(join(host, "back/d/inside")), "../f", "link");
        check.equal(
          (await stat(join(host, "back/h"))).ino,
          (await stat(join(host, "back/f"))).ino,
          "the file of both names",
        );
      });
    },
  },
  "transfer-places": {
    title:
      "a tree lands as with cp -r: in a directory that is there, else under the new name; a slash means what is in it",
    rule: "SPEC 5.1",
    async run({ check, session, folder }) {
      const inside = await folder();
      await onHost(async (host) => {
        await mkdir(join(host, "t"));
        await writeFile(join(host, "t/f"), "x");
        const places = [];
        places.push((await session.files.upload(join(host, "t"), `${inside}/new`)).path);
        places.push((await session.files.upload(join(host, "t"), `${inside}/new`)).path);
        places.push((await session.files.upload(`${join(host, "t")}/`, `${inside}/new`)).path);
        check.equal(places, [`${inside}/new`, `${inside}/new/t`, `${inside}/new`], "places");
        await mkdir(join(host, "down"));
        await session.files.download(`${inside}/new/t`, join(host, "down"));
        await session.files.download(`${inside}/new/t/`, join(host, "down"));
        check.equal((await readdir(join(host, "down"))).sort(), ["f", "t"], "names");
        const error = await check.rejects(
          session.files.upload(join(host, "t"), `${inside}/no/such`),
          "file",
          "an upload below nothing",
        );
        check.includes(error.message, "no/such", "message");
      });
    },
  },
  "transfer-merge": {
    title:
      "a tree that goes into an existing one replaces files and keeps the rest; a conflict changes nothing",
    rule: "SPEC 5.1",
    async run({ check, session, folder }) {
      const inside = await folder();
      await session.execute("mkdir -p d/sub; echo old >d/sub/f; echo kept >d/sub/k; ln -s sub d/link", {
        workdir: inside,
      });
      await onHost(async (host) => {
        await mkdir(join(host, "t/sub"), { recursive: true });
        await writeFile(join(host, "t/sub/f"), "new\n");
        await writeFile(join(host, "t/.hidden"), "h\n");
        await session.files.upload(`${join(host, "t")}/`, `${inside}/d`);
        check.printed(
          await session.execute("cat sub/f sub/k .hidden; ls -A", { workdir: `${inside}/d` }),
          "new\nkept\nh\n.hidden\nlink\nsub\n",
        );
        await mkdir(join(host, "t/link"));
        await writeFile(join(host, "t/link/evil"), "x");
        await writeFile(join(host, "t/another"), "x");
        await check.rejects(
          session.files.upload(`${join(host, "t")}/`, `${inside}/d`),
          "file",
          "an upload through a link",
        );
        await check.rejects(
          session.files.upload(`${join(host, "t")}/`, `${inside}/d`, { overwrite: false, exclude: ["link"] }),
          "file",
          "an upload over what is there",
        );
        check.printed(
          await session.execute("ls -A . sub", { workdir: `${inside}/d` }),
          ".:\n.hidden\nlink\nsub\n\nsub:\nf\nk\n",
        );
      });
    },
  },
  "transfer-exclude": {
    title: "what is excluded is left out, both ways",
    rule: "SPEC 5.1",
    async run({ check, session, folder }) {
      const inside = await folder();
      await session.execute(
        "mkdir -p t/node_modules/x t/build/cache; touch t/a.log t/b t/node_modules/x/y t/build/cache/z t/build/keep",
        { workdir: inside },
      );
      const exclude = ["node_modules", "*.log", "build/cache"];
      await onHost(async (host) => {
        await session.files.download(`${inside}/t`, join(host, "t"), { exclude });
        check.equal(
          (await readdir(join(host, "t"), { recursive: true })).sort(),
          ["b", "build", "build/keep"],
          "what came down",
        );
        await session.files.upload(join(host, "t"), `${inside}/up`, { exclude: ["build/**"] });
        check.printed(
          await session.execute("find . | sort", { workdir: `${inside}/up` }),
          ".\n./b\n./build\n",
        );
      });
    },
  },
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
    deadlineMs: 240_000,
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
