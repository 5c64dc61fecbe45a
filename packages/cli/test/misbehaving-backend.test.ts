import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { until } from "./support/processes.js";
import { addPlugin, enablePlugins } from "./support/plugin-folder.js";
import { runCli, startCli, temporaryFolder, type CliRun } from "./support/run-cli.js";

const answers = `execute: async () => ({ output: "ran\\n", exitCode: 0 })`;

function homeWith(createEnvironment: string): string {
  const home = temporaryFolder();
  addPlugin(home, "acme", "acmebox", `createEnvironment: ${createEnvironment},`);
  enablePlugins(home, ["acme"]);
  return home;
}

function run(createEnvironment: string, ...options: readonly string[]): Promise<CliRun> {
  return runCli(homeWith(createEnvironment), ["exec", "--backend", "acmebox", ...options, "--", "true"]);
}

describe("a backend that misbehaves ends exec with 125 and a reason:", () => {
  it.each([
    ["it forgets to give an environment", "() => new Promise(() => {})", /can never happen/],
    ["it ends the process", "() => process.exit(0)", /ended it before its work was done/],
    ["it throws a text", `async () => { throw "boom" }`, /boom/],
    ["it gives a number", "async () => 42", /createEnvironment\(\) of "acmebox" gave the number 42/],
    [
      "it forgets to free its environment",
      `async () => ({ ${answers}, cleanup: () => new Promise(() => {}) })`,
      /can never happen/,
    ],
    [
      "it cannot free its environment",
      `async () => ({ ${answers}, cleanup() { throw new Error("stuck") } })`,
      /stuck/,
    ],
  ])("%s", async (_title, createEnvironment, reason) => {
    const { status, stderr } = await run(createEnvironment);
    expect(stderr).toMatch(reason);
    expect(status).toBe(125);
  });

  it("what it answered wrongly is said although it cannot free its environment either", async () => {
    const { status, stderr } = await run(
      `async () => ({ execute: async () => ({ output: "", exitCode: "0" }), cleanup() { throw new Error("stuck") } })`,
    );
    expect(stderr).toMatch(/stuck[^]*"exitCode" is a text/);
    expect(status).toBe(125);
  });

  it("--json prints one document when only the freeing failed", async () => {
    const { stdout } = await run(
      `async () => ({ ${answers}, cleanup() { throw new Error("stuck") } })`,
      "--json",
    );
    expect(JSON.parse(stdout)).toMatchObject({ output: "ran\n", exit_code: 0 });
  });
});

it("what a backend says of its failure does not act on the terminal", async () => {
  const home = homeWith(`async () => { throw new Error("\\u001b]0;owned\\u0007\\u202eno") }`);
  const failed = await runCli(home, ["exec", "--backend", "acmebox", "--", "true"]);
  expect(failed.stderr).toContain(String.raw`\x1b]0;owned\x07\u202eno`);
  addPlugin(home, "shout", "shoutbox");
  writeFileSync(join(home, "plugins/shout/index.mjs"), `throw new Error("\\u001b[2J");`);
  enablePlugins(home, ["shout"]);
  expect((await runCli(home, ["doctor", "shoutbox"])).stdout).not.toContain("\u001b");
});

describe("the smallest environment, { execute, cleanup }", () => {
  it("is enough for exec although it cannot tell stdout from stderr", async () => {
    const { status, stdout, stderr } = await run(`async () => ({ ${answers}, cleanup() {} })`);
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "ran\n", stderr: "" });
  });
});

describe("a signal to exec while a backend that heeds none is being made ready", () => {
  it("ends it soon, with the signal's status", async () => {
    const home = homeWith(`() => {
      process.stderr.write("entered");
      return new Promise(() => setInterval(() => {}, 1000));
    }`);
    const child = startCli(home, ["exec", "--backend", "acmebox", "--", "true"]);
    let stderr = "";
    child.stderr?.on("data", (bytes: Buffer) => (stderr += bytes.toString()));
    await until("the backend was entered", () => stderr.includes("entered"));
    child.kill("SIGTERM");
    expect(await new Promise((resolve) => child.on("exit", resolve))).toBe(143);
  });

  it("ends it at once when it comes a third time", async () => {
    const home = homeWith(`() => {
      let count = 0;
      process.on("SIGTERM", () => process.stderr.write("signal " + (count += 1)));
      process.stderr.write("entered");
      return new Promise(() => setInterval(() => {}, 1000));
    }`);
    const child = startCli(home, ["exec", "--backend", "acmebox", "--", "true"]);
    let stderr = "";
    child.stderr?.on("data", (bytes: Buffer) => (stderr += bytes.toString()));
    await until("the backend was entered", () => stderr.includes("entered"));
    const first = Date.now();
    for (const heard of ["signal 1", "signal 2"]) {
      child.kill("SIGTERM");
      await until(heard, () => stderr.includes(heard));
    }
    child.kill("SIGTERM");
    expect(await new Promise((resolve) => child.on("exit", resolve))).toBe(143);
    // What a backend gets to give up is 2,000 ms.
    expect(Date.now() - first).toBeLessThan(1_500);
  });
});
