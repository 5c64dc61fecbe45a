import type { TextEdit } from "@talaria/core";
import { casesOf } from "../case.js";
import type { CaseContext } from "../case-context.js";
import { refusedFor } from "../file-refusal.js";
import { putText, textOf } from "../sandbox-text.js";

/** Patches a file that holds a text and looks at what is in it then, and by which strategy. */
async function patched(
  { check, session, folder }: CaseContext,
  text: string,
  edit: TextEdit,
  expected: { readonly strategy: string; readonly text: string },
): Promise<void> {
  const path = `${await folder()}/a file.txt`;
  await putText(session, path, text);
  const result = await session.files.patch(path, edit);
  check.equal<string | undefined>(result.edits[0]?.strategy, expected.strategy, "strategy");
  check.equal(await textOf(session, path), expected.text, "the file");
}

export const filesPatchStrategyCases = casesOf("files", {
  "patch-trimmed": {
    title: "white space at the ends of lines may differ, and stays on lines that do",
    rule: "SPEC 5.1",
    run: (context) =>
      patched(
        context,
        "if x:  \n    y()\n",
        { find: "if x:\n    y()\n", replace: "if x:\n    z()\n" },
        { strategy: "trimmed_lines", text: "if x:  \n    z()\n" },
      ),
  },
  "patch-folded": {
    title: "white space within a line may differ",
    rule: "SPEC 5.1",
    run: (context) =>
      patched(
        context,
        "a\nx   =  1\n",
        { find: "x = 1", replace: "x = 2" },
        { strategy: "folded_space", text: "a\nx = 2\n" },
      ),
  },
  "patch-indentation": {
    title: "the indentation may differ, and what is put in its place gets that of the file",
    rule: "SPEC 5.1",
    run: (context) =>
      patched(
        context,
        "func f() {\n\tif a {\n\t\tb()\n\t}\n}\n",
        {
          find: "  if a {\n    b()\n  }\n",
          replace: "  if a {\n    b()\n    for {\n      c()\n    }\n  }\n",
        },
        {
          strategy: "flexible_indentation",
          text: "func f() {\n\tif a {\n\t\tb()\n\t\tfor {\n\t\t\tc()\n\t\t}\n\t}\n}\n",
        },
      ),
  },
  "patch-look-alikes": {
    title: "typographic quotes and dashes may stand for plain ones, and stay where nothing changes",
    rule: "SPEC 5.1",
    run: (context) =>
      patched(
        context,
        "say(“it’s – ok”) # x\n",
        { find: 'say("it\'s - ok")', replace: 'say("it\'s - ok", 1)' },
        { strategy: "look_alikes", text: "say(“it’s – ok”, 1) # x\n" },
      ),
  },
  "patch-escapes": {
    title: "a text that was escaped once too often is found",
    rule: "SPEC 5.1",
    run: (context) =>
      patched(
        context,
        'print("a")\nx\n',
        { find: 'print(\\"a\\")\\nx', replace: 'print(\\"b\\")\\nx' },
        { strategy: "escapes", text: 'print("b")\nx\n' },
      ),
  },
  "patch-anchors": {
    title:
      "a block is found by its first and last line when what is between is much alike, but not everywhere",
    rule: "SPEC 5.1",
    async run(context) {
      const { check, session, folder } = context;
      const text = "def total(list):\n    # sums up all of the items\n    return sum(list)\n";
      const find = "def total(list):\n    # sums up all the items.\n    return sum(list)\n";
      const replace =
        "def total(list):\n    # sums up all the items.\n    check(list)\n    return sum(list)\n";
      const made = text.replace("    return", "    check(list)\n    return");
      await patched(context, text, { find, replace }, { strategy: "block_anchors", text: made });
      const path = `${await folder()}/file.txt`;
      await putText(session, path, text);
      const everywhere = session.files.patch(path, { find, replace, all: true });
      await refusedFor(check, everywhere, "no_match", "a block that is merely alike, everywhere");
    },
  },
  "patch-all": {
    title: "a text is replaced wherever it stands when that is asked for",
    rule: "SPEC 5.1",
    run: (context) =>
      patched(
        context,
        "a b a\nc\na\n",
        { find: "a", replace: "x", all: true },
        { strategy: "exact", text: "x b x\nc\nx\n" },
      ),
  },
});
