import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readAudit } from "@talaria/core";
import { casesOf } from "../case.js";
import { refusedFor } from "../file-refusal.js";
import { bytesOf, putBytes, putText, textOf } from "../sandbox-text.js";

export const filesWriteCases = casesOf("files", {
  "write-new": {
    title: "a new file is whole, its directories are made, and it has the permissions of any new file",
    rule: "SPEC 5.1",
    async run({ check, session, folder }) {
      const path = await folder();
      const written = await session.files.write(`${path}/a/b/file`, "text\n");
      check.equal<unknown>(
        [written.path, written.bytes, written.created],
        [`${path}/a/b/file`, 5, true],
        "result",
      );
      check.equal(await textOf(session, `${path}/a/b/file`), "text\n", "the file");
      const modes = await session.execute("touch plain; ls -l plain a/b/file | cut -c1-10 | uniq", {
        workdir: path,
      });
      check.equal(modes.output.trim().split("\n").length, 1, "kinds of permissions");
      await refusedFor(
        check,
        session.files.write(`${path}/c/file`, "x", { createParents: false }),
        "not_found",
        "a missing directory",
      );
    },
  },
  "write-bytes": {
    title: "bytes of all values, and none at all, are written exactly",
    rule: "SPEC 5.3",
    async run({ check, session, folder }) {
      const path = `${await folder()}/file`;
      const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256);
      await session.files.write(path, bytes);
      check.bytes((await session.files.readBytes(path)).bytes, bytes, "bytes");
      check.printed(await session.execute('wc -c <"$FILE" | tr -d " "', { env: { FILE: path } }), "70000\n");
      const emptied = await session.files.write(path, "");
      check.equal<unknown>([emptied.bytes, emptied.created], [0, false], "result of an empty text");
      check.equal((await bytesOf(session, path)).length, 0, "size");
    },
  },
  "write-keeps-ends": {
    title: "a text over a text keeps its line ends and its byte order mark, unless it is to be exact",
    rule: "SPEC 5.3",
    async run({ check, session, folder }) {
      const path = `${await folder()}/file`;
      await putBytes(session, path, Buffer.from("\uFEFFa\r\nb\r\n"));
      await session.files.write(path, "c\nd\n");
      check.bytes(await bytesOf(session, path), Buffer.from("\uFEFFc\r\nd\r\n"), "the file");
      await session.files.write(path, "e\n", { lineEnding: "exact" });
      check.bytes(await bytesOf(session, path), Buffer.from("e\n"), "the exact text");
    },
  },
  "write-keeps-mode": {
    title: "permissions and the executable bit stay, and a mode that is asked for is set",
    rule: "SPEC 5.3",
    async run({ check, session, folder }) {
      const path = `${await folder()}/file`;
      await putText(session, path, "old");
      check.exited(await session.execute('chmod 750 "$FILE"', { env: { FILE: path } }), 0);
      await session.files.write(path, "new");
      check.equal((await session.files.stat(path)).mode, 0o750, "mode");
      await session.files.write(path, "newer", { mode: 0o604 });
      check.equal((await session.files.stat(path)).mode, 0o604, "the mode asked for");
      await session.files.write(`${path}.new`, "new", { mode: 0o711 });
      check.equal((await session.files.stat(`${path}.new`)).mode, 0o711, "mode of a new file");
    },
  },
  "write-version": {
    title: "a write for a version is refused after a change, and one for an absent file when it is there",
    rule: "SPEC 5.1",
    async run({ check, session, folder }) {
      const path = `${await folder()}/file`;
      const first = await session.files.write(path, "one", { ifVersion: "absent" });
      await refusedFor(
        check,
        session.files.write(path, "x", { ifVersion: "absent" }),
        "changed",
        "a taken name",
      );
      const second = await session.files.write(path, "two", { ifVersion: first.version });
      await refusedFor(
        check,
        session.files.write(path, "x", { ifVersion: first.version }),
        "changed",
        "an old version",
      );
      check.equal(await textOf(session, path), "two", "the file");
      check.equal((await session.files.stat(path)).version, second.version, "version");
    },
  },
  "write-whole": {
    title: "who reads during writes sees one whole content or another, and no other file is left",
    rule: "SPEC 5.3",
    async run({ check, session, observer, folder }) {
      const path = await folder();
      const contents = ["a", "b"].map((letter) => letter.repeat(200_000));
      await session.files.write(`${path}/file`, contents[0] ?? "");
      const reader = observer.execute(
        'n=0; while [ ! -e end ] && [ "$n" -lt 2000 ]; do n=$((n + 1)); s=$(cat file | cksum); echo "$s"; done | sort -u',
        { workdir: path },
      );
      for (let turn = 0; turn < 20; turn += 1) {
        await session.files.write(`${path}/file`, contents[turn % 2] ?? "");
      }
      check.exited(await session.execute("touch end", { workdir: path }), 0);
      const seen = (await reader).output.trim().split("\n");
      const sums = await session.execute(
        'for c in a b; do awk -v c="$c" \'BEGIN { for (i = 0; i < 200000; i++) printf "%s", c }\' | cksum; done',
      );
      for (const sum of seen) check.includes(sums.output, sum, "what a reader saw");
      check.equal(
        (await session.files.list(path)).entries.map(({ name }) => name),
        ["end", "file"],
        "names",
      );
    },
  },
  "write-through-link": {
    title: "a link stays and its target is written, also one that is not there yet",
    rule: "SPEC 5.2",
    async run({ check, session, folder }) {
      const path = await folder();
      check.exited(
        await session.execute("mkdir d; echo old >d/f; ln -s d/f link; ln -s d/new to-new", {
          workdir: path,
        }),
        0,
      );
      const written = await session.files.write(`${path}/link`, "new\n");
      check.equal<string>(written.path, `${path}/d/f`, "path of the result");
      await session.files.write(`${path}/to-new`, "made\n");
      check.printed(
        await session.execute("cat d/f d/new; readlink link to-new", { workdir: path }),
        "new\nmade\nd/f\nd/new\n",
      );
    },
  },
  "write-not-regular": {
    title: "a directory, a pipe and a device are no target of a write, and nothing is left beside them",
    rule: "SPEC 5.2",
    async run({ check, session, folder }) {
      const path = await folder();
      check.exited(await session.execute("mkdir d; mkfifo pipe", { workdir: path }), 0);
      await refusedFor(check, session.files.write(`${path}/d`, "x"), "is_directory", "a directory");
      await refusedFor(check, session.files.write(`${path}/pipe`, "x"), "not_regular", "a pipe");
      await refusedFor(check, session.files.write("/dev/null", "x"), "refused", "a device");
      check.printed(await session.execute("ls -A . d", { workdir: path }), ".:\nd\npipe\n\nd:\n");
    },
  },
  "write-permission": {
    title: "a folder that a command could not write to is refused by permission, and stays as it was",
    rule: "SPEC 5.3",
    async run({ check, session, folder }) {
      const path = `${await folder()}/d`;
      const tried = await session.execute('mkdir "$D"; chmod 555 "$D"; echo a >"$D/probe"', {
        env: { D: path },
      });
      const call = session.files.write(`${path}/file`, "text");
      if (tried.exitCode === 0) check.equal((await call).created, true, "created");
      else {
        await refusedFor(check, call, "permission", "a read-only folder");
        check.equal((await session.files.list(path)).total, 0, "entries");
      }
    },
  },
  "write-sensitive": {
    title: "a file that decides about logins is written only when that is allowed, also through a link",
    rule: "SPEC 5.2",
    async run({ check, session, folder }) {
      const path = await folder();
      check.exited(
        await session.execute("mkdir .ssh; ln -s .ssh/authorized_keys link", { workdir: path }),
        0,
      );
      await refusedFor(check, session.files.write(`${path}/link`, "key\n"), "refused", "a link to it");
      await refusedFor(check, session.files.write(`${path}/.ssh/new`, "key\n"), "refused", "its folder");
      check.equal((await session.files.list(`${path}/.ssh`)).total, 0, "entries");
      await session.files.write(`${path}/link`, "key\n", { allowSensitive: true });
      check.equal(await textOf(session, `${path}/.ssh/authorized_keys`), "key\n", "the file");
    },
  },
  append: {
    title: "what is appended comes after what is there, byte by byte, and a missing file is made",
    rule: "SPEC 5.1",
    async run({ check, session, folder }) {
      const path = `${await folder()}/file`;
      check.equal((await session.files.append(path, "a\n")).created, true, "created");
      const second = await session.files.append(path, Uint8Array.of(0, 255));
      check.equal<unknown>([second.created, second.bytes], [false, 2], "result");
      check.bytes(await bytesOf(session, path), Uint8Array.of(97, 10, 0, 255), "the file");
    },
  },
  "write-audit": {
    title: "each write is in the audit once, by its path in the sandbox, and so is one that failed",
    rule: "SPEC 9.3, audit",
    async run({ check, openSession, folder }) {
      const talariaHome = await mkdtemp(join(tmpdir(), "talaria-conformance-home-"));
      try {
        const path = await folder();
        const session = await openSession({ talariaHome, audit: true, cwd: path });
        await session.files.write("one", "text");
        await refusedFor(check, session.files.write(path, "x"), "is_directory", "a directory");
        await session.close();
        const entries: string[] = [];
        for await (const entry of readAudit({ talariaHome, kind: "file" })) {
          entries.push(`${String(entry["operation"])} ${String(entry["path"])} ${"error" in entry}`);
        }
        check.equal(entries, [`write ${path}/one false`, `write ${path} true`], "entries");
      } finally {
        await rm(talariaHome, { recursive: true, force: true });
      }
    },
  },
});
