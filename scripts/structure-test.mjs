// @ts-check
// npm run structure: what every package and file must look like, and who may import whom.
import "./node-version.mjs";
import { root } from "./bootstrap/bootstrap.mjs";
import { backendForm } from "./structure/backend-form.mjs";
import { coreLayers } from "./structure/core-layers.mjs";
import { fileNames } from "./structure/file-names.mjs";
import { fileSizes } from "./structure/file-sizes.mjs";
import { packageForm } from "./structure/package-form.mjs";
import { packageImports } from "./structure/package-imports.mjs";
import { processStarts } from "./structure/process-starts.mjs";
import { readRepository } from "./structure/repository.mjs";
import { closingLine } from "./test-counts.mjs";

/** @type {readonly { name: string, problems: (repository: import("./structure/repository.mjs").Repository) => string[] }[]} */
const rules = [
  { name: "every file is named in kebab-case, after its idea", problems: fileNames },
  { name: "no source file is over 300 lines", problems: fileSizes },
  { name: "every package has README, CHANGELOG and LICENSE in form", problems: packageForm },
  { name: "every backend declares itself and runs the conformance suite", problems: backendForm },
  { name: "packages import only what stands below them, by public entries", problems: packageImports },
  { name: "core's folders import only down its layers", problems: coreLayers },
  {
    name: "processes are started in few places, and with an environment that is named",
    problems: processStarts,
  },
];

const repository = readRepository(root);
let failed = 0;
for (const rule of rules) {
  const problems = rule.problems(repository);
  if (problems.length > 0) failed += 1;
  process.stdout.write(`${problems.length === 0 ? "ok  " : "FAIL"}  ${rule.name}\n`);
  for (const problem of problems) process.stdout.write(`        ${problem}\n`);
}
process.stdout.write(`\n${closingLine({ passed: rules.length - failed, failed })}\n`);
process.exitCode = failed === 0 ? 0 : 1;
