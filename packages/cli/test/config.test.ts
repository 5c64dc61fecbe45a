import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli, temporaryFolder } from "./support/run-cli.js";

const commented = "# mine\nterminal:\n  # long builds\n  timeout: 300 # seconds\n";

/** A home with a configuration. */
function homeWith(text: string): { home: string; file: string } {
  const home = temporaryFolder();
  const file = join(home, "config.yaml");
  writeFileSync(file, text);
  return { home, file };
}

describe("config get", () => {
  it("prints the value alone on stdout, and says on stderr where it came from", async () => {
    const { home, file } = homeWith(commented);
    const run = await runCli(home, ["config", "get", "terminal.timeout"]);
    expect(run).toMatchObject({ status: 0, stdout: "300\n" });
    expect(run.stderr).toContain(`${file}:4`);
  });

  it("has the provenance in its document", async () => {
    const { home } = homeWith("");
    const run = await runCli(home, ["config", "get", "terminal.timeout", "--json"], {
      env: { TALARIA_TERMINAL_TIMEOUT: "60" },
    });
    expect(JSON.parse(run.stdout)).toEqual({
      schema: 1,
      key: "terminal.timeout",
      value: 60,
      source: { kind: "environment", where: "TALARIA_TERMINAL_TIMEOUT" },
    });
  });

  it("ends with 1 for a key that is not set", async () => {
    const run = await runCli(temporaryFolder(), ["config", "get", "terminal.container_cpu"]);
    expect(run).toMatchObject({ status: 1, stdout: "" });
  });

  it("ends with 1 for a key that does not exist, and names the near one", async () => {
    const run = await runCli(temporaryFolder(), ["config", "get", "terminal.timeot"]);
    expect(run).toMatchObject({ status: 1, stdout: "" });
    expect(run.stderr).toMatch(/terminal\.timeot[^]*terminal\.timeout/);
  });

  it("never prints a secret", async () => {
    const { home } = homeWith("terminal:\n  backends:\n    acme:\n      api_token: hunter2\n");
    const text = await runCli(home, ["config", "list"]);
    const json = await runCli(home, ["config", "list", "--json"]);
    expect(text.stdout).toMatch(/api_token +set/);
    expect(text.stdout + text.stderr + json.stdout + json.stderr).not.toContain("hunter2");
  });
});

describe("config set and unset", () => {
  it("change one value and keep the comments", async () => {
    const { home, file } = homeWith(commented);
    expect((await runCli(home, ["config", "set", "terminal.timeout", "45"])).status).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(commented.replace("300", "45"));
    expect((await runCli(home, ["config", "unset", "terminal.timeout"])).status).toBe(0);
    expect(readFileSync(file, "utf8")).toContain("# mine");
    expect((await runCli(home, ["config", "get", "terminal.timeout"])).stdout).toBe("180\n");
  });

  it("take a value from stdin, so that a secret need not stand in a command line", async () => {
    const home = temporaryFolder();
    const run = await runCli(home, ["config", "set", "terminal.backends.acme.api_token"], {
      input: "hunter2\n",
    });
    expect(run.status, run.stderr).toBe(0);
    expect(run.stdout + run.stderr).not.toContain("hunter2");
    expect(readFileSync(join(home, "config.yaml"), "utf8")).toContain("api_token: hunter2");
    expect(statSync(join(home, "config.yaml")).mode & 0o777).toBe(0o600);
  });

  it("make the file when there is none", async () => {
    const home = join(temporaryFolder(), "deep", "home");
    expect((await runCli(home, ["config", "set", "terminal.backend", "local"])).status).toBe(0);
    expect(existsSync(join(home, "config.yaml"))).toBe(true);
  });

  it.each([
    ["an unknown key", ["terminal.timeot", "5"], /terminal\.timeot[^]*terminal\.timeout/],
    ["a wrong type", ["terminal.timeout", "soon"], /terminal\.timeout must be a number of seconds/],
    ["a timeout of 0", ["terminal.timeout", "0"], /above 0/],
    ["a wrong boolean", ["terminal.container_persistent", "perhaps"], /true or false/],
  ])("refuse %s and change nothing", async (_title, words, reason) => {
    const { home, file } = homeWith(commented);
    const run = await runCli(home, ["config", "set", ...words]);
    expect(run.status).toBe(1);
    expect(run.stderr).toMatch(reason);
    expect(readFileSync(file, "utf8")).toBe(commented);
  });

  it("refuse to touch a file that is broken", async () => {
    const broken = "terminal:\n  timeout: [3\n# my notes\n";
    const { home, file } = homeWith(broken);
    const run = await runCli(home, ["config", "set", "terminal.timeout", "5"]);
    expect(run.status).toBe(1);
    expect(run.stderr).toMatch(/config\.yaml:\d+.*not valid YAML/);
    expect(readFileSync(file, "utf8")).toBe(broken);
  });
});

describe("a configuration that cannot be used", () => {
  it.each([
    ["broken YAML", (file: string) => writeFileSync(file, "terminal: [\n"), /not valid YAML/],
    ["a folder in its place", (file: string) => mkdirSync(file), /it is a folder/],
    ["a link to nowhere", (file: string) => symlinkSync("/no/such/file", file), /does not exist/],
    [
      "bytes that are no text",
      (file: string) => writeFileSync(file, Buffer.from([0xff, 0xfe, 0x00])),
      /not UTF-8/,
    ],
    [
      "a wrong flag type",
      (file: string) => writeFileSync(file, "terminal:\n  timeout: soon\n"),
      /terminal\.timeout/,
    ],
    ["a timeout of 0", (file: string) => writeFileSync(file, "terminal:\n  timeout: 0\n"), /above 0/],
    [
      "a timeout that is no number",
      (file: string) => writeFileSync(file, "terminal:\n  timeout: .nan\n"),
      /terminal\.timeout/,
    ],
  ])("ends exec with 125 and names the file: %s", async (_title, prepare, reason) => {
    const home = temporaryFolder();
    prepare(join(home, "config.yaml"));
    const run = await runCli(home, ["exec", "--", "true"]);
    expect(run.status).toBe(125);
    expect(run.stderr).toContain("config.yaml");
    expect(run.stderr).toMatch(reason);
  });

  it("ends exec with 125 when the file is unreadable", async () => {
    const { home, file } = homeWith(commented);
    chmodSync(home, 0o755);
    chmodSync(file, 0o000);
    // To root nothing is unreadable.
    const account = process.getuid?.() === 0 ? { uid: 65_534 } : {};
    const run = await runCli(home, ["exec", "--", "true"], { ...account, cwd: home });
    expect(run.status).toBe(125);
    expect(run.stderr).toMatch(/permission is denied/);
    chmodSync(file, 0o600);
    expect(readFileSync(file, "utf8")).toBe(commented);
  });

  it("is told whole by config check, which ends with 1", async () => {
    const { home } = homeWith("terminal:\n  timeout: soon\n  timeot: 5\n");
    const run = await runCli(home, ["config", "check"]);
    expect(run.status).toBe(1);
    expect(run.stdout).toMatch(/error: .*terminal\.timeout/);
    expect(run.stdout).toMatch(/warning: .*timeot[^]*terminal\.timeout/);
    const json = await runCli(home, ["config", "check", "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({ schema: 1, ok: false });
  });

  it("warns about an unknown key and goes on", async () => {
    const { home } = homeWith("terminal:\n  timeot: 5\n");
    const run = await runCli(home, ["exec", "--", "echo ran"]);
    expect(run).toMatchObject({ status: 0, stdout: "ran\n" });
    expect(run.stderr).toMatch(/warning: .*timeot/);
  });
});

describe("config path", () => {
  it("prints where the file is, there or not", async () => {
    const home = temporaryFolder();
    const run = await runCli(home, ["config", "path"]);
    expect(run).toMatchObject({ status: 0, stdout: `${join(home, "config.yaml")}\n` });
  });
});
