import { casesOf } from "../case.js";
import { refusedFor } from "../file-refusal.js";
import { bytesOf, putBytes, putText, textOf } from "../sandbox-text.js";

export const filesPatchCases = casesOf("files", {
  "patch-exact": {
    title:
      "a text that stands once in a file is replaced, and the result tells lines, difference and version",
    rule: "SPEC 5.1",
    async run({ check, session, folder }) {
      const path = `${await folder()}/file.txt`;
      await putText(session, path, "one\ntwo\nthree\n");
      const result = await session.files.patch(path, { find: "two", replace: "2a\n2b" });
      check.equal(await textOf(session, path), "one\n2a\n2b\nthree\n", "the file");
      check.equal<unknown>(
        result.edits,
        [{ strategy: "exact", count: 1, places: [{ firstLine: 2, lastLine: 3 }] }],
        "edits",
      );
      check.includes(result.diff, "\n one\n-two\n+2a\n+2b\n three\n", "difference");
      const { version } = await session.files.stat(path);
      check.equal<string | null>(result.version, version, "version");
    },
  },
  "patch-ambiguous": {
    title: "a text that stands twice is refused with the lines it is on, and nothing is written",
    rule: "SPEC 5.1",
    async run({ check, session, folder }) {
      const path = `${await folder()}/file.txt`;
      await putText(session, path, "x = 1\ny\nx = 1\n");
      const call = session.files.patch(path, { find: "x = 1", replace: "x = 2" });
      const message = await refusedFor(check, call, "ambiguous", "a text that stands twice");
      check.includes(message, "line 1", "text of the error");
      check.includes(message, "line 3", "text of the error");
      check.equal(await textOf(session, path), "x = 1\ny\nx = 1\n", "the file");
    },
  },
  "patch-no-match": {
    title: "a text that is not there is refused, and the nearest place and how it differs are named",
    rule: "SPEC 5.1",
    async run({ check, session, folder }) {
      const path = `${await folder()}/file.txt`;
      await putText(session, path, "first\nlet total = 1;\n");
      const call = session.files.patch(path, { find: "let totals = 2;", replace: "x" });
      const message = await refusedFor(check, call, "no_match", "a text that is not there");
      check.includes(message, 'Line 2 is "let total = 1;"', "text of the error");
    },
  },
  "patch-again": {
    title: "a patch that was made before changes nothing and says so",
    rule: "SPEC 5.1",
    async run({ check, session, folder }) {
      const path = `${await folder()}/file.txt`;
      await putText(session, path, "import a\nrest\n");
      const edit = { find: "import a\n", replace: "import a\nimport bcd\n" };
      const first = await session.files.patch(path, edit);
      const second = await session.files.patch(path, edit);
      check.equal<unknown>([first.isChanged, second.isChanged], [true, false], "isChanged");
      check.equal<unknown>(second.edits[0]?.strategy, "already_applied", "strategy");
      check.equal(second.version, first.version, "version");
      check.equal(await textOf(session, path), "import a\nimport bcd\nrest\n", "the file");
    },
  },
  "patch-bytes": {
    title: "line ends, byte order mark, missing last line end, mode and bytes of another encoding stay",
    rule: "SPEC 5.1, 5.3",
    async run({ check, session, folder }) {
      const path = `${await folder()}/file.txt`;
      const crlf = Buffer.from("\uFEFFone\r\ntwo\r\nthree");
      await putBytes(session, path, crlf);
      check.exited(await session.execute('chmod 751 "$FILE"', { env: { FILE: path } }), 0);
      await session.files.patch(path, { find: "two\n", replace: "2\nnew\n" });
      const expected = Buffer.from("\uFEFFone\r\n2\r\nnew\r\nthree");
      check.bytes(await bytesOf(session, path), expected, "the file with CRLF");
      check.equal((await session.files.stat(path)).mode & 0o777, 0o751, "mode");
      await putBytes(session, path, Buffer.from("caf\xe9 1\n\xff\xfe\n", "latin1"));
      await session.files.patch(path, { find: "café 1", replace: "café 2" });
      check.bytes(
        await bytesOf(session, path),
        Buffer.from("caf\xe9 2\n\xff\xfe\n", "latin1"),
        "the file in Latin-1",
      );
    },
  },
  "patch-relative": {
    title: "after a cd a relative path means the file there, also one behind a link, which stays a link",
    rule: "SPEC 2.7",
    async run({ check, session, folder }) {
      const path = await folder();
      await putText(session, `${path}/target`, "one\n");
      check.exited(await session.execute(`cd ${path} && mkdir sub && ln -s ../target sub/link && cd sub`), 0);
      const result = await session.files.patch("link", { find: "one", replace: "two" });
      check.equal<string>(result.path, `${path}/target`, "path of the result");
      check.printed(
        await session.execute("cat ../target; readlink link"),
        "two\n../target\n",
        "what is there",
      );
    },
  },
  "patch-version": {
    title: "a file that is not the version asked for is left alone; edits of one call are made all or none",
    rule: "SPEC 5.1",
    async run({ check, session, folder }) {
      const path = `${await folder()}/file.txt`;
      await putText(session, path, "one\ntwo\n");
      const { version } = await session.files.stat(path);
      await session.files.patch(path, { find: "two", replace: "three", ifVersion: version });
      const late = session.files.patch(path, { find: "one", replace: "1", ifVersion: version });
      await refusedFor(check, late, "changed", "a version of before");
      const half = session.files.patch(path, [
        { find: "one", replace: "1" },
        { find: "nothing of the kind", replace: "2" },
      ]);
      await refusedFor(check, half, "no_match", "two edits of which one fails");
      check.equal(await textOf(session, path), "one\nthree\n", "the file");
    },
  },
  "patch-parallel": {
    title: "patches of one file made at the same time are all in it at the end",
    rule: "SPEC 3.10, 5.1",
    async run({ check, session, folder }) {
      const path = `${await folder()}/file.txt`;
      await putText(session, path, "alpha\nbeta\ngamma\n");
      await Promise.all(
        ["alpha", "beta", "gamma"].map((word) =>
          session.files.patch(path, { find: word, replace: `${word} was here` }),
        ),
      );
      check.equal(await textOf(session, path), "alpha was here\nbeta was here\ngamma was here\n", "the file");
    },
  },
  "patch-binary": {
    title: "what is no text, no file or not there is refused",
    rule: "SPEC 5.1",
    async run({ check, session, folder }) {
      const path = await folder();
      await putBytes(session, `${path}/binary`, Uint8Array.of(0x7f, 0x45, 0, 1, 2, 0xff, 0, 3));
      const edit = { find: "E", replace: "F" };
      await refusedFor(check, session.files.patch(`${path}/binary`, edit), "binary", "a binary");
      await refusedFor(check, session.files.patch(path, edit), "is_directory", "a directory");
      await refusedFor(check, session.files.patch(`${path}/missing`, edit), "not_found", "nothing");
    },
  },
});
