import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { linkProblems } from "../docs/link-problems.mjs";
import { readPage } from "../docs/markdown-page.mjs";
import { matchesOutput } from "../docs/matches-output.mjs";
import { pageSteps } from "../docs/page-steps.mjs";
import { allPages } from "../docs/pages.mjs";

const root = path.join(import.meta.dirname, "..", "..");

test.each(allPages(root))("every relative link of %s leads to a file and a heading that exist", (page) => {
  expect(linkProblems(root, page)).toEqual([]);
});

test("a link to a missing file or heading is found, one inside a block is none", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "talaria-links-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const text = [
    "# A title, with `code`",
    "[a](other.md) [b](#a-title-with-code) [c](page.md#nowhere) [d](https://example.com/x)",
    "```js",
    "const list = names[0](missing.md);",
    "```",
  ].join("\n");
  writeFileSync(path.join(folder, "page.md"), text);
  expect(linkProblems(folder, "page.md")).toEqual([
    "page.md: other.md: no such file",
    "page.md: page.md#nowhere: no such heading",
  ]);
});

test("an ellipsis stands for what differs, all else is compared", () => {
  expect(matchesOutput("pid … ended (0)\n", "pid 12 ended (0)\n")).toBe(true);
  expect(matchesOutput("pid … ended (0)\n", "pid 12 ended (1)\n")).toBe(false);
  expect(matchesOutput("a.b\n", "axb\n")).toBe(false);
  expect(matchesOutput("a\n", "a\nb\n")).toBe(false);
});

test("a page becomes the steps of a reader who follows it", () => {
  const text = [
    "```json package.json",
    "{}",
    "```",
    "```js",
    "console.log(1);",
    "```",
    "```text",
    "1",
    "```",
    "```ts",
    "type Shown = string;",
    "```",
    "```console",
    "$ echo a",
    "a",
    "$ true",
    "```",
  ].join("\n");
  expect(pageSteps(readPage(text).blocks)).toEqual([
    { kind: "file", file: "package.json", text: "{}\n", line: 1 },
    { kind: "file", file: "example-4.mjs", text: "console.log(1);\n", line: 4 },
    { kind: "run", file: "example-4.mjs", shown: "1\n", line: 4 },
    { kind: "command", command: "echo a", shown: "a\n", line: 14 },
    { kind: "command", command: "true", shown: "", line: 16 },
  ]);
});

test("a block that is never closed is an error", () => {
  expect(() => readPage("text\n```js\n")).toThrow("line 2 is never closed");
});
