// @ts-check
// npm run check: everything that is not a test. Goes on after a failure; ends stdout with `N passed, N failed`.
import "./node-version.mjs";
import { spawnSync } from "node:child_process";
import path from "node:path";
import { bootstrapOrExit, root } from "./bootstrap/bootstrap.mjs";
import { closingLine } from "./test-counts.mjs";

/** @type {readonly { name: string, command: readonly string[], holds: string }[]} */
const checks = [
  { name: "lint", command: ["oxlint"], holds: "no floating promise, no any, no import cycle …" },
  { name: "format", command: ["oxfmt", "--check"], holds: "one layout (npm run format)" },
  { name: "types", command: ["tsc", "-b"], holds: "sources, tests and scripts" },
  { name: "knip", command: ["knip"], holds: "no unused file, export or dependency" },
  { name: "sherif", command: ["sherif"], holds: "one version of each dependency" },
  { name: "pack", command: ["nx", "run-many", "-t", "test:pack"], holds: "publint on every package" },
  { name: "exports", command: ["nx", "run-many", "-t", "test:exports"], holds: "attw on every package" },
  { name: "structure", command: ["node", "scripts/structure-test.mjs"], holds: "form, names, layers" },
  {
    name: "changesets",
    command: ["node", "scripts/changeset-status.mjs"],
    holds: "every change is announced",
  },
];

await bootstrapOrExit();

/** @type {{ name: string, isPassed: boolean, seconds: string, holds: string }[]} */
const rows = [];
for (const { name, command, holds } of checks) {
  const started = performance.now();
  const { status, output } = runTool(command);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const isPassed = status === 0;
  rows.push({ name, isPassed, seconds, holds });
  if (!isPassed)
    process.stdout.write(`\n--- ${name}: ${command.join(" ")} (status ${status})\n${output.trim()}\n`);
}

const width = Math.max(...rows.map((row) => row.name.length));
process.stdout.write("\n");
for (const { name, isPassed, seconds, holds } of rows) {
  process.stdout.write(
    `${isPassed ? "passed" : "FAILED"}  ${name.padEnd(width)}  ${seconds.padStart(5)} s  ${holds}\n`,
  );
}
const failed = rows.filter((row) => !row.isPassed).length;
process.stdout.write(`\n${closingLine({ passed: rows.length - failed, failed })}\n`);
process.exitCode = failed === 0 ? 0 : 1;

/**
 * @param {readonly string[]} command
 * @returns {{ status: number | null, output: string }}
 */
function runTool([tool = "", ...args]) {
  const bins = path.join(root, "node_modules", ".bin");
  const result = spawnSync(tool, args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      PATH: `${bins}${path.delimiter}${process.env["PATH"] ?? ""}`,
      NX_DAEMON: "false",
      NX_TUI: "false",
      // A pass somebody else's checkout once earned is no pass of this one.
      NX_SKIP_NX_CACHE: "true",
    },
  });
  const output = `${result.stdout ?? ""}${result.stderr ?? ""}`;
  return {
    status: result.status,
    output: result.error === undefined ? output : `${output}${result.error.message}`,
  };
}
