import { casesOf } from "../case.js";
import { refusedFor } from "../file-refusal.js";
import { putBytes, putText } from "../sandbox-text.js";

export const filesReadCases = casesOf("files", {
  "read-window": {
    title: "a window of lines comes with its numbers, the size of the whole, and where to go on",
    rule: "SPEC 5.1",
    async run({ check, session, folder }) {
      const path = `${await folder()}/file`;
      await putText(session, path, "one\ntwo\nthree\nfour");
      const middle = await session.files.read(path, { offset: 2, limit: 2 });
      check.equal(middle.text, "two\nthree\n", "text");
      check.includes(middle.numbered, "2|two\n", "numbered text");
      check.includes(middle.numbered, "3|three", "numbered text");
      check.equal([middle.firstLine, middle.lastLine, middle.totalLines], [2, 3, 4], "lines");
      check.equal([middle.nextOffset, middle.totalBytes], [4, 18], "where to go on, and size");
      const rest = await session.files.read(path, { offset: 4 });
      check.equal<unknown>([rest.text, rest.nextOffset], ["four", null], "the rest");
    },
  },
  "read-caps": {
    title: "a long line is cut and named, and a window ends at its limit of bytes with a line to go on from",
    rule: "SPEC 5.1",
    async run({ check, session, folder }) {
      const path = `${await folder()}/file`;
      await putText(session, path, `short\n${"x".repeat(5000)}\nlast\n`);
      const cut = await session.files.read(path, { maxLineBytes: 100 });
      check.equal(cut.cutLines, [2], "lines that were cut");
      check.that(cut.text.length < 200, "the cut line is short");
      check.includes(cut.text, "last\n", "what stands after it");
      const first = await session.files.read(path, { maxBytes: 50 });
      check.equal<unknown>([first.text, first.nextOffset], ["short\n", 2], "a small window");
    },
  },
  "read-encodings": {
    title: "UTF-8 with a mark, UTF-16 and Latin-1 are read as text, and a guess is called one",
    rule: "SPEC 5.3",
    async run({ check, session, folder }) {
      const path = `${await folder()}/file`;
      await putBytes(session, path, Buffer.from("\uFEFFgrün\n"));
      const marked = await session.files.read(path);
      check.equal<unknown>([marked.text, marked.encoding, marked.hasBom], ["grün\n", "utf-8", true], "UTF-8");
      await putBytes(session, path, Buffer.from("\uFEFFgrün €\n", "utf16le"));
      const wide = await session.files.read(path);
      check.equal<unknown>([wide.text, wide.encoding, wide.hasBom], ["grün €\n", "utf-16le", true], "UTF-16");
      await putBytes(session, path, Buffer.from("grün und blau\n", "latin1"));
      const guessed = await session.files.read(path);
      check.equal<unknown>(
        [guessed.text, guessed.encoding, guessed.isEncodingGuessed],
        ["grün und blau\n", "latin-1", true],
        "Latin-1",
      );
    },
  },
  "read-line-ends": {
    title: "the ends of lines are kept in the text and named",
    rule: "SPEC 5.3",
    async run({ check, session, folder }) {
      const path = `${await folder()}/file`;
      for (const [text, ending] of [
        ["a\r\nb\r\n", "crlf"],
        ["a\nb\n", "lf"],
        ["a\r\nb\n", "mixed"],
        ["a", "none"],
      ] as const) {
        await putText(session, path, text);
        const read = await session.files.read(path);
        check.equal<unknown>([read.text, read.lineEnding], [text, ending], ending);
      }
    },
  },
  "read-binary": {
    title: "what is not text is named as binary without its content, and its bytes can be read exactly",
    rule: "SPEC 5.3",
    async run({ check, session, folder }) {
      const path = `${await folder()}/file`;
      const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
      await putBytes(session, path, bytes);
      const read = await session.files.read(path);
      check.equal<unknown>([read.kind, read.text, read.totalBytes], ["binary", "", 256], "what is told");
      check.bytes((await session.files.readBytes(path)).bytes, bytes, "bytes");
      const piece = await session.files.readBytes(path, { offset: 250, length: 100 });
      check.bytes(piece.bytes, bytes.subarray(250), "the last piece");
      check.equal(piece.totalBytes, 256, "size of the whole");
    },
  },
  "read-image": {
    title: "an image is told by its bytes, with its type and dimensions",
    rule: "SPEC 5.3",
    async run({ check, session, folder }) {
      const path = `${await folder()}/picture.txt`;
      const header = Buffer.from("89504e470d0a1a0a0000000d49484452000002800000012c0802000000", "hex");
      await putBytes(session, path, header);
      const read = await session.files.read(path);
      check.equal(read.kind, "image", "kind");
      check.equal<unknown>(
        [read.image?.mimeType, read.image?.width, read.image?.height],
        ["image/png", 640, 300],
        "image",
      );
    },
  },
  "read-empty": {
    title: "an empty file is a text of no lines",
    rule: "SPEC 5.3",
    async run({ check, session, folder }) {
      const path = `${await folder()}/file`;
      await putText(session, path, "");
      const read = await session.files.read(path);
      check.equal<unknown>(
        [read.kind, read.text, read.firstLine, read.totalLines, read.totalBytes, read.nextOffset],
        ["text", "", 0, 0, 0, null],
        "what is told",
      );
    },
  },
  "read-missing": {
    title: "of a file that is not there the error names those that may have been meant",
    rule: "SPEC 5.3",
    async run({ check, session, folder }) {
      const path = await folder();
      await putText(session, `${path}/settings.json`, "{}");
      const error = await check.rejects(session.files.read(`${path}/setings.json`), "file", "a wrong name");
      check.includes(`${error.message} ${error.hint ?? ""}`, "settings.json", "what the error says");
      await refusedFor(check, session.files.read(`${path}/none/file`), "not_found", "a missing directory");
    },
  },
  "read-directory": {
    title: "a directory is not read as a file",
    rule: "SPEC 5.3",
    async run({ check, session, folder }) {
      const path = await folder();
      await refusedFor(check, session.files.read(path), "is_directory", "a directory");
      await putText(session, `${path}/file`, "a");
      await refusedFor(check, session.files.read(`${path}/file/below`), "not_directory", "below a file");
    },
  },
  "read-permission": {
    title: "a file is read where a command of the session could read it, and else refused by permission",
    rule: "SPEC 5.3",
    async run({ check, session, folder }) {
      const path = `${await folder()}/file`;
      await putText(session, path, "text\n");
      const seen = await session.execute('chmod 000 "$FILE"; cat "$FILE"', { env: { FILE: path } });
      if (seen.exitCode === 0) check.equal((await session.files.read(path)).text, "text\n", "text");
      else await refusedFor(check, session.files.read(path), "permission", "a closed file");
    },
  },
  "read-large": {
    title: "a window in the midst of 10 MB is read, and only the window is kept",
    rule: "SPEC 5.3",
    async run({ check, session, folder }) {
      const path = `${await folder()}/file`;
      const fill = 'awk \'BEGIN { for (i = 1; i <= 1000000; i++) printf "%09d\\n", i }\' >"$FILE"';
      check.exited(await session.execute(fill, { env: { FILE: path } }), 0);
      const read = await session.files.read(path, { offset: 700_000, limit: 2 });
      check.equal(read.text, "000700000\n000700001\n", "text");
      check.equal([read.totalBytes, read.totalLines], [10_000_000, 1_000_000], "size of the whole");
      check.equal(read.nextOffset, 700_002, "where to go on");
    },
  },
  "read-version": {
    title: "the version tells whether a file was changed, also by a command and to the same size",
    rule: "SPEC 5.1",
    async run({ check, session, folder }) {
      const path = `${await folder()}/file`;
      await putText(session, path, "one");
      const before = await session.files.read(path);
      check.equal((await session.files.read(path)).version, before.version, "version of an unchanged file");
      check.exited(
        await session.execute('printf two >"$FILE.new"; mv "$FILE.new" "$FILE"', { env: { FILE: path } }),
        0,
      );
      const after = await session.files.read(path);
      check.that(after.version !== before.version, "the version differs after a change");
      check.equal(after.text, "two", "text");
    },
  },
});
