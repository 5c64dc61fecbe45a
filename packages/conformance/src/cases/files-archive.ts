import { existsSync } from "node:fs";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CaseContext } from "../case-context.js";
import { casesOf, type CaseDefinition } from "../case.js";
import { singleQuoted } from "../hard-names.js";
import type { SessionUnderTest } from "../session-under-test.js";
import { onHost } from "../on-host.js";

/** A member that a hostile sandbox puts into an archive. */
interface Member {
  readonly name: string;
  readonly type?: string;
  readonly link?: string;
  readonly content?: string;
  readonly mode?: number;
}

/** An archive as no honest program makes it. */
function hostileArchive(members: readonly Member[]): Buffer {
  const blocks = members.flatMap(({ name, type = "0", link = "", content = "", mode = 0o644 }) => {
    const header = Buffer.alloc(512);
    header.write(name, 0, "latin1");
    header.write(`${mode.toString(8).padStart(7, "0")}\0`, 100);
    header.write("0000000", 108);
    header.write("0000000", 116);
    header.write(content.length.toString(8).padStart(11, "0"), 124);
    header.write("07346545000", 136);
    header.write("        ", 148);
    header.write(type, 156);
    header.write(link, 157, "latin1");
    header.write("ustar  ", 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    const body = Buffer.alloc(Math.ceil(content.length / 512) * 512);
    body.write(content, "latin1");
    return [header, body];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

function bring(session: SessionUnderTest, bytes: Buffer, path: string): Promise<void> {
  return onHost(async (host) => {
    await writeFile(join(host, "archive"), bytes);
    await session.files.upload(join(host, "archive"), path);
  });
}

/**
 * Makes the sandbox's `tar` send what it likes, downloads a tree from it, and looks whether anything got out of the target
 * on this machine.
 */
async function download(
  { check, session, folder }: CaseContext,
  members: readonly Member[],
  look: (host: string, call: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const inside = await folder();
  const bytes = hostileArchive(members);
  await bring(session, bytes, `${inside}/archive`);
  await session.execute(
    `mkdir bin t; printf '#!/bin/sh\\nexec cat %s\\n' ${singleQuoted(`${inside}/archive`)} >bin/tar; chmod 755 bin/tar`,
    { workdir: inside },
  );
  await session.execute(`export PATH="${inside}/bin:$PATH"`);
  await onHost(async (host) => {
    await writeFile(join(host, "victim"), "untouched");
    await look(host, () => session.files.download(`${inside}/t`, join(host, "target")));
    check.equal(await readFile(join(host, "victim"), "utf8"), "untouched", "a file beside the target");
  });
}

function refused(what: string, named: string, members: readonly Member[]): CaseDefinition {
  return {
    title: `a download whose archive holds ${what} is refused with the entry named, and leaves nothing`,
    rule: "SPEC 5.2",
    run: (context) =>
      download(context, [{ name: "./first", content: "harmless" }, ...members], async (host, call) => {
        const { check } = context;
        const error = await check.rejects(call(), "file", "the download");
        check.equal("reason" in error && error.reason, "refused", "reason");
        check.equal("path" in error && error.path, named, "entry");
        check.equal(await readdir(host), ["victim"], "what is on this machine");
      }),
  };
}

export const filesArchiveCases = casesOf("files", {
  "archive-absolute": refused("an absolute name", "/tmp/talaria-evil", [
    { name: "/tmp/talaria-evil", content: "x" },
  ]),
  "archive-up": refused('a name with ".."', "./a/../../victim", [{ name: "./a/../../victim", content: "x" }]),
  "archive-link-out": refused("a link out of the target", "./l", [
    { name: "./l", type: "2", link: "../victim" },
  ]),
  "archive-link-absolute": refused("a link to an absolute path", "./l", [
    { name: "./l", type: "2", link: "/etc/passwd" },
  ]),
  "archive-link-chain": refused("a chain of links out of the target", "./out", [
    { name: "./a/b/up", type: "2", link: "../.." },
    { name: "./out", type: "2", link: "a/b/up/../victim" },
  ]),
  "archive-through-link": refused("a file behind a link that it made", "./l/f", [
    { name: "./d/", type: "5", mode: 0o755 },
    { name: "./l", type: "2", link: "d" },
    { name: "./l/f", content: "x" },
  ]),
  "archive-hard-link": refused("a hard link out of the target", "./h", [
    { name: "./h", type: "1", link: "../victim" },
  ]),
  "archive-hard-link-absent": refused("a hard link to what it does not hold", "./h", [
    { name: "./h", type: "1", link: "./victim" },
  ]),
  "archive-devices": {
    title: "devices and pipes of a downloaded tree are left out and reported, set-user-id bits dropped",
    rule: "SPEC 5.2",
    run: (context) =>
      download(
        context,
        [
          { name: "./null", type: "3" },
          { name: "./pipe", type: "6" },
          { name: "./su", content: "x", mode: 0o4755 },
        ],
        async (host, call) => {
          const result = (await call()) as { readonly skipped: readonly { readonly path: string }[] };
          context.check.equal(
            result.skipped.map(({ path }) => path.replace(/^\.\//, "")),
            ["null", "pipe"],
            "skipped",
          );
          context.check.equal(await readdir(join(host, "target")), ["su"], "names");
          context.check.equal((await stat(join(host, "target/su"))).mode & 0o7777, 0o755, "mode");
        },
      ),
  },
  "archive-limits": {
    title: "a download that goes over a limit is stopped and leaves nothing",
    rule: "SPEC 5.2",
    async run({ check, session, folder }) {
      const inside = await folder();
      await session.execute("mkdir t; n=0; while [ $n -lt 30 ]; do n=$((n + 1)); echo $n >t/$n; done", {
        workdir: inside,
      });
      await onHost(async (host) => {
        for (const limits of [{ maxEntries: 10 }, { maxBytes: 20 }]) {
          const error = await check.rejects(
            session.files.download(`${inside}/t`, join(host, "t"), { limits }),
            "file",
            "a download",
          );
          check.equal("reason" in error && error.reason, "too_large", "reason");
          check.that(!existsSync(join(host, "t")), "something was written");
          check.equal(await readdir(host), [], "what is on this machine");
        }
      });
    },
  },
  "archive-cut-off": {
    title: "an archive that ends early is an error, not a smaller tree",
    rule: "SPEC 5.2",
    async run({ check, session, folder }) {
      const inside = await folder();
      const bytes = hostileArchive([
        { name: "./a", content: "x" },
        { name: "./b", content: "x" },
      ]);
      await bring(session, bytes.subarray(0, 1024), `${inside}/archive`);
      await session.execute(
        `mkdir bin t; printf '#!/bin/sh\\nexec cat %s\\n' ${singleQuoted(`${inside}/archive`)} >bin/tar; chmod 755 bin/tar`,
        { workdir: inside },
      );
      await session.execute(`export PATH="${inside}/bin:$PATH"`);
      await onHost(async (host) => {
        await check.rejects(session.files.download(`${inside}/t`, join(host, "t")), "file", "the download");
        check.equal(await readdir(host), [], "what is on this machine");
      });
    },
  },
});
