import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readAudit } from "@talaria/core";
import { casesOf } from "../case.js";
import { refusedFor } from "../file-refusal.js";
import { putText, textOf } from "../sandbox-text.js";

function patchOf(...lines: readonly string[]): string {
  return ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
}

export const filesPatchSetCases = casesOf("files", {
  "patch-set": {
    title: "a patch of several files adds, updates, moves and deletes, relative to where the session stands",
    rule: "SPEC 5.1, 2.7",
    async run({ check, session, folder }) {
      const path = await folder();
      await putText(session, `${path}/update`, "class A\n  x = 1\nclass B\n  x = 1\n");
      await putText(session, `${path}/move`, "one\ntwo\n");
      await putText(session, `${path}/delete`, "gone\n");
      check.exited(await session.execute(`cd ${path} && chmod 640 move`), 0);
      const result = await session.files.applyPatch(
        patchOf(
          "*** Add File: new dir/added",
          "+first",
          "+second",
          "*** Update File: update",
          "@@ class B",
          "-  x = 1",
          "+  x = 2",
          "*** Update File: move",
          "*** Move to: moved",
          "@@",
          " one",
          "-two",
          "+2",
          "*** Delete File: delete",
        ),
      );
      check.equal(
        result.files.map((file) => `${file.operation} ${file.path.slice(path.length + 1)}`),
        ["add new dir/added", "update update", "move moved", "delete delete"],
        "files of the result",
      );
      const found = await session.execute('find . -type f | sort; cat "new dir/added" update moved');
      const names = "./moved\n./new dir/added\n./update\n";
      check.printed(
        found,
        `${names}first\nsecond\nclass A\n  x = 1\nclass B\n  x = 2\none\n2\n`,
        "what is there",
      );
      check.equal((await session.files.stat("moved")).mode & 0o777, 0o640, "mode of the moved file");
    },
  },
  "patch-set-whole": {
    title: "when a hunk of the second file does not fit, the first one is left as it was",
    rule: "SPEC 5.1",
    async run({ check, session, folder }) {
      const path = await folder();
      await putText(session, `${path}/one`, "a\n");
      await putText(session, `${path}/two`, "b\n");
      const before = await session.files.stat(`${path}/one`);
      const patch = patchOf(
        `*** Update File: ${path}/one`,
        "-a",
        "+A",
        `*** Update File: ${path}/two`,
        "-something else",
        "+B",
      );
      const message = await refusedFor(check, session.files.applyPatch(patch), "no_match", "the patch");
      check.includes(message, `${path}/two`, "text of the error");
      const after = await session.files.stat(`${path}/one`);
      check.equal(after.version, before.version, "version of the first file");
    },
  },
  "patch-set-taken": {
    title: "a patch adds no file that is there and moves none over another",
    rule: "SPEC 5.1",
    async run({ check, session, folder }) {
      const path = await folder();
      await putText(session, `${path}/one`, "1\n");
      await putText(session, `${path}/two`, "2\n");
      check.exited(await session.execute(`cd ${path} && ln -s nowhere link`), 0);
      const add = session.files.applyPatch(patchOf("*** Add File: one", "+new"));
      await refusedFor(check, add, "exists", "adding a file that is there");
      const overLink = session.files.applyPatch(patchOf("*** Add File: link", "+new"));
      await refusedFor(check, overLink, "exists", "adding a file where a link leads nowhere");
      const move = session.files.applyPatch(
        patchOf("*** Update File: one", "*** Move to: two", "-1", "+one"),
      );
      await refusedFor(check, move, "exists", "moving a file over another");
      check.printed(await session.execute("cat one two; ls"), "1\n2\nlink\none\ntwo\n", "what is there");
    },
  },
  "patch-set-unified": {
    title: "a unified diff is applied, with the names that git writes",
    rule: "SPEC 5.1",
    async run({ check, session, folder }) {
      const path = await folder();
      await putText(session, `${path}/f`, "one\ntwo\nthree\n");
      check.exited(await session.execute(`cd ${path}`), 0);
      const diff = ["--- a/f", "+++ b/f", "@@ -1,3 +1,3 @@", " one", "-two", "+2", " three", ""].join("\n");
      await session.files.applyPatch(diff);
      check.equal(await textOf(session, `${path}/f`), "one\n2\nthree\n", "the file");
    },
  },
  "patch-set-dry": {
    title: "a dry run tells what would come of a patch and writes nothing",
    rule: "SPEC 5.1",
    async run({ check, session, folder }) {
      const path = `${await folder()}/file`;
      await putText(session, path, "a\n");
      const before = await session.files.stat(path);
      const patch = patchOf(`*** Update File: ${path}`, "-a", "+b");
      const result = await session.files.applyPatch(patch, { dryRun: true });
      check.includes(result.files[0]?.diff ?? "", "-a\n+b\n", "difference");
      check.equal((await session.files.stat(path)).version, before.version, "version of the file");
    },
  },
  "patch-audit": {
    title: "each file that a patch changed is in the audit, by its path in the sandbox, once",
    rule: "SPEC 9.3, audit",
    async run({ check, openSession, folder }) {
      const talariaHome = await mkdtemp(join(tmpdir(), "talaria-conformance-home-"));
      try {
        const path = await folder();
        const session = await openSession({ talariaHome, audit: true });
        await putText(session, `${path}/one`, "a\n");
        check.exited(await session.execute(`cd ${path}`), 0);
        await session.files.patch("one", { find: "a", replace: "b" });
        await session.files.applyPatch(
          patchOf("*** Add File: two", "+x", "*** Update File: one", "-b", "+c"),
        );
        await session.close();
        const entries: string[] = [];
        for await (const entry of readAudit({ talariaHome, kind: "file" })) {
          entries.push(`${String(entry["operation"])} ${String(entry["path"])}`);
        }
        check.equal(entries, [`patch ${path}/one`, `patch ${path}/two`, `patch ${path}/one`], "entries");
      } finally {
        await rm(talariaHome, { recursive: true, force: true });
      }
    },
  },
});
