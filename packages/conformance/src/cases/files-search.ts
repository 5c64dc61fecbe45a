import type { CaseContext } from "../case-context.js";
import { casesOf } from "../case.js";
import { singleQuoted } from "../hard-names.js";

/** A folder with files, made by commands of the session, so that any backend can. `\0` and the like are for `printf`. */
async function tree(
  { folder, session }: CaseContext,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const inside = await folder();
  const lines = Object.entries(files).map(([name, content]) => {
    const path = singleQuoted(`${inside}/${name}`);
    return `mkdir -p "$(dirname ${path})" && printf ${singleQuoted(content)} > ${path}`;
  });
  await session.execute(lines.join("\n"));
  return inside;
}

export const filesSearchCases = casesOf("files", {
  "search-order": {
    title: "lines are found in the order of the paths' bytes, then of the lines",
    rule: "SPEC 5",
    async run(context) {
      const { check, session } = context;
      const path = await tree(context, {
        "b/x": "one\\nhit\\nhit\\n",
        "b-x": "hit\\n",
        a: "no\\n",
        B: "a hit",
      });
      const { matches, truncated } = await session.files.search("hit", { path });
      const told = matches.map(({ path: file, line, column }) => `${file}:${line}:${column}`).join(" ");
      check.equal(told, "B:1:3 b-x:1:1 b/x:2:1 b/x:3:1", "what was found");
      check.equal(truncated, false, "truncated");
    },
  },
  "search-standing": {
    title: "a search begins where the last command left the session",
    rule: "SPEC 2.7",
    async run(context) {
      const { check, session } = context;
      const path = await tree(context, { "deep/file": "here\\n" });
      await session.execute(`cd ${singleQuoted(`${path}/deep`)}`);
      const { files } = await session.files.search("here", { mode: "files" });
      check.equal(files.map((file) => file.path).join(" "), "file", "files");
    },
  },
  "search-skipped": {
    title: "hidden and binary files and links are left out, ignore files are not obeyed",
    rule: "SPEC 5",
    async run(context) {
      const { check, session } = context;
      const path = await tree(context, {
        ".hidden/x": "hit\\n",
        ".dot": "hit\\n",
        ".ignore": "ignored\\n",
        ignored: "hit\\n",
        binary: "hit\\n\\000",
      });
      await session.execute(`cd ${singleQuoted(path)} && ln -s ignored link && ln -s . loop`);
      const seen = await session.files.search("hit", { path, mode: "files" });
      check.equal(seen.files.map((file) => file.path).join(" "), "ignored", "files");
      const all = await session.files.search("hit", { path, mode: "files", hidden: true });
      check.equal(all.files.map((file) => file.path).join(" "), ".dot .hidden/x ignored", "with hidden ones");
    },
  },
  "search-limit": {
    title: "a search stops at its limit, with the first by path, and says so",
    rule: "SPEC 5",
    async run(context) {
      const { check, session } = context;
      const path = await tree(context, { a: "hit\\n", b: "hit\\nhit\\nhit\\n", c: "hit\\n" });
      const few = await session.files.search("hit", { path, limit: 3 });
      check.equal(few.matches.map((one) => one.path + one.line).join(" "), "a1 b1 b2", "the first");
      check.equal(few.truncated, true, "truncated at 3 of 5");
      const all = await session.files.search("hit", { path, limit: 5 });
      check.equal(all.truncated, false, "truncated at 5 of 5");
    },
  },
  "search-context": {
    title: "lines around a match are told as such, each once",
    rule: "SPEC 5",
    async run(context) {
      const { check, session } = context;
      const path = await tree(context, { a: "1\\n2\\n3 x\\n4\\n5 x\\n6\\n7\\n8\\n" });
      const { matches } = await session.files.search("x", { path, context: 1 });
      const told = matches.map(({ line, isMatch }) => `${line}${isMatch ? "!" : ""}`).join(" ");
      check.equal(told, "2 3! 4 5! 6", "lines");
    },
  },
  "search-count": {
    title: "matching lines are counted a file",
    rule: "SPEC 5",
    async run(context) {
      const { check, session } = context;
      const path = await tree(context, { a: "x x\\nx\\n", b: "y\\n", "c/d": "x" });
      const { files } = await session.files.search("x", { path, mode: "count" });
      check.equal(files.map((file) => `${file.path}=${file.count}`).join(" "), "a=2 c/d=1", "counts");
    },
  },
  "search-pattern": {
    title: "a pattern means the same whatever searches: classes, repetitions, characters beyond ASCII",
    rule: "SPEC 5",
    async run(context) {
      const { check, session } = context;
      const path = await tree(context, { a: "fooBar(12)\\r\\nÄpfel äpfel\\na.b*c\\n" });
      const columns = async (pattern: string, options = {}): Promise<string> => {
        const { matches } = await session.files.search(pattern, { path, ...options });
        return matches.map(({ line, column }) => `${line}:${column}`).join(" ");
      };
      check.equal(await columns("\\w+\\(\\d{2}\\)$"), "1:1", "at the end of a line with a carriage return");
      check.equal(await columns("^.pfel [äö]p"), "2:1", "characters of more than one byte");
      check.equal(await columns("ÄPFEL$", { ignoreCase: true }), "2:7", "without case");
      check.equal(await columns(".b*", { literal: true }), "3:2", "as the text itself");
      check.equal(await columns("\\bbar", { ignoreCase: true }), "", "a word's beginning");
    },
  },
  "search-refused": {
    title: "a pattern that not all engines know is refused before anything runs",
    rule: "SPEC 5",
    async run({ check, session, nextCommandWorks }) {
      for (const pattern of ["(?=a)", "(a)\\1", "a\nb", "("]) {
        const error = await session.files.search(pattern).then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        check.equal(error instanceof Error ? error.name : "none", "InvalidArgumentError", pattern);
      }
      await nextCommandWorks();
    },
  },
  "search-names": {
    title: "names with quotes, spaces and line feeds are searched and told as they are",
    rule: "SPEC 5",
    async run(context) {
      const { check, session } = context;
      const names = ["--\n1:x", "$(touch pwned)", "it's", 'quo"te', "two words\n"];
      const path = await tree(context, Object.fromEntries(names.map((name) => [name, "hit\\n"])));
      const { matches } = await session.files.search("hit", { path, glob: "*" });
      const sorted = [...names].toSorted((one, other) => (one < other ? -1 : 1));
      check.equal(JSON.stringify(matches.map((one) => one.path)), JSON.stringify(sorted), "names");
    },
  },
  "search-by-name": {
    title: "files are found by globs of their names and of their paths",
    rule: "SPEC 5",
    async run(context) {
      const { check, session } = context;
      const path = await tree(context, { "a.ts": "", "src/b.ts": "", "src/deep/c.ts": "", "src/d.md": "" });
      const found = async (glob: string): Promise<string> => {
        const { files } = await session.files.search(glob, { path, mode: "name" });
        return files.map((file) => file.path).join(" ");
      };
      check.equal(await found("*.ts"), "a.ts src/b.ts src/deep/c.ts", "by name");
      check.equal(await found("src/*.ts"), "src/b.ts", "by path");
      check.equal(await found("src/**/?.[lt]s"), "src/b.ts src/deep/c.ts", "over directories");
    },
  },
  "search-pipe": {
    title: "a pipe in the tree keeps nobody waiting",
    rule: "SPEC 5",
    async run(context) {
      const { check, session, needsProgram, waitFor, nextCommandWorks } = context;
      await needsProgram("mkfifo");
      const path = await tree(context, { a: "hit\\n" });
      await session.execute(`mkfifo ${singleQuoted(`${path}/pipe`)}`);
      const { files } = await waitFor("the search", session.files.search("hit", { path, mode: "files" }));
      check.equal(files.map((file) => file.path).join(" "), "a", "files");
      await nextCommandWorks();
    },
  },
});
