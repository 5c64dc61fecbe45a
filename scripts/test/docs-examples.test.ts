import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { followStep } from "../docs/follow-step.mjs";
import { readPage } from "../docs/markdown-page.mjs";
import { pageSteps } from "../docs/page-steps.mjs";
import { allPages } from "../docs/pages.mjs";
import { ReaderFolder } from "../docs/reader-folder.mjs";

const root = path.join(import.meta.dirname, "..", "..");

const pages = allPages(root)
  .map((page) => ({ page, steps: pageSteps(readPage(readFileSync(path.join(root, page), "utf8")).blocks) }))
  .filter(({ steps }) => steps.length > 0);

// The examples use what a reader would have: the built packages.
beforeAll(() => {
  execFileSync(path.join(root, "node_modules/.bin/tsc"), ["-b", "tsconfig.build.json"], {
    cwd: root,
    stdio: "inherit",
  });
}, 180_000);

test("the pages that must have examples that run have some", () => {
  const running = pages.filter(({ steps }) => steps.some(({ kind }) => kind === "run"));
  expect(running.map(({ page }) => page)).toEqual(
    expect.arrayContaining([
      "README.md",
      "docs/backends/writing-a-backend.md",
      "packages/backend-local/README.md",
      "packages/conformance/README.md",
      "packages/core/README.md",
    ]),
  );
});

describe.each(pages)("who follows $page finds what it says", ({ steps }) => {
  let reader: ReaderFolder;
  beforeAll(() => {
    reader = openReader();
  });
  afterAll(() => {
    reader.remove();
  });

  test.each(steps.map((step) => ({ ...step, what: step.kind === "command" ? step.command : step.file })))(
    "line $line: $kind $what",
    async (step) => {
      expect(await followStep(reader, step)).toBeUndefined();
    },
    180_000,
  );
});

test("the vitest example of the conformance suite runs in a vendor's package", async () => {
  const { blocks } = readPage(readFileSync(path.join(root, "packages/conformance/README.md"), "utf8"));
  const example = blocks.find(({ language, text }) => language === "ts" && text.includes('from "vitest"'));
  const reader = openReader();
  onTestFinished(() => {
    reader.remove();
  });
  reader.install("vitest", path.join(root, "node_modules", "vitest"));
  reader.write("package.json", '{ "type": "module" }');
  reader.write("src/index.js", 'export * from "acmebox-talaria";\n');
  reader.write("test/conformance.test.ts", example?.text ?? "");
  const vitest = path.join(root, "node_modules", "vitest", "vitest.mjs");
  const words = ["run", "--no-color", "--testNamePattern", "quoting"];
  const { status, output } = await reader.run([process.execPath, vitest, ...words]);
  expect(status, output).toBe(0);
  expect(output).toMatch(/Tests +1\d passed/);
}, 180_000);

test("an example that fails, or prints something else, is found", async () => {
  const reader = openReader();
  onTestFinished(() => {
    reader.remove();
  });
  const line = 1;
  reader.write("fails.mjs", 'console.log("so far"); process.exitCode = 3;');
  expect(await followStep(reader, { kind: "run", file: "fails.mjs", shown: undefined, line })).toMatch(
    /ended with 3:\nso far/,
  );
  expect(await followStep(reader, { kind: "command", command: "echo a", shown: "b\n", line })).toMatch(
    /shows:\nb\n\nbut this was printed:\na/,
  );
});

/** A reader who has also installed the backend of the vendor imagined in the conformance suite's README. */
function openReader(): ReaderFolder {
  const reader = new ReaderFolder(root);
  const folder = "node_modules/acmebox-talaria";
  reader.write(`${folder}/package.json`, '{ "type": "module", "exports": "./index.js" }');
  reader.write(
    `${folder}/index.js`,
    'import { local } from "@talaria/backend-local";\nexport const acmebox = () => local();\n',
  );
  return reader;
}
