import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { livingAs, until } from "./support/processes.js";
import { bin, cliEnv, runCli, startCli, temporaryFolder } from "./support/run-cli.js";

describe("what exec writes", () => {
  it("keeps stdout and stderr apart, with nothing of its own on either", async () => {
    const run = await runCli(temporaryFolder(), ["exec", "--", "echo out; echo err >&2; printf no-newline"]);
    expect(run).toMatchObject({ status: 0, stdout: "out\nno-newline", stderr: "err\n" });
  });

  it("keeps the order of the two where they end in one place", async () => {
    const home = temporaryFolder();
    const script = "for i in {1..300}; do echo $i; echo $i >&2; done";
    const shell = spawn("bash", ["-c", '"$0" "$1" exec -- "$2" 2>&1', process.execPath, bin, script], {
      env: cliEnv(home),
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    shell.stdout.on("data", (bytes: Buffer) => (output += bytes.toString()));
    await new Promise((resolve) => shell.on("close", resolve));
    const expected = Array.from({ length: 300 }, (_, index) => `${index + 1}\n${index + 1}\n`).join("");
    expect(output).toBe(expected);
  });

  it("arrives while the command still runs", async () => {
    const child = startCli(temporaryFolder(), [
      "exec",
      "--stdin",
      "--",
      "echo ready; read answer; echo got $answer",
    ]);
    let seen = "";
    child.stdout?.on("data", (bytes: Buffer) => {
      seen += bytes.toString();
    });
    await until("the first line is there", () => seen === "ready\n");
    expect(child.exitCode).toBeNull();
    child.stdin?.end("yes\n");
    await until("the command has answered", () => seen === "ready\ngot yes\n");
    expect(seen).toBe("ready\ngot yes\n");
  });

  it("is the command's bytes, whatever they are", async () => {
    const folder = temporaryFolder();
    const bytes = randomBytes(300_000);
    writeFileSync(join(folder, "bytes"), bytes);
    const run = await runCli(folder, ["exec", "--workdir", folder, "--", "cat bytes"]);
    expect(run.stdoutBytes.equals(bytes)).toBe(true);
  });

  it("waits for a slow reader instead of filling memory or dropping bytes", async () => {
    const child = startCli(temporaryFolder(), ["exec", "--", "head -c 20000000 /dev/zero; echo end"]);
    await until("output is waiting", () => (child.stdout?.readableLength ?? 0) > 0);
    let length = 0;
    for await (const bytes of child.stdout ?? []) length += (bytes as Buffer).length;
    expect(length).toBe(20_000_004);
  });

  it("ends quietly when its reader goes away, and ends the command with it", async () => {
    const home = temporaryFolder();
    const mark = `talaria-yes-${process.pid}`;
    const shell = spawn(
      "bash",
      [
        "-c",
        `"$0" "$1" exec -- "exec -a ${mark} yes" | head -1; echo "\${PIPESTATUS[0]}"`,
        process.execPath,
        bin,
      ],
      { env: cliEnv(home), stdio: ["ignore", "pipe", "pipe"] },
    );
    let stdout = "";
    let stderr = "";
    shell.stdout.on("data", (bytes: Buffer) => (stdout += bytes.toString()));
    shell.stderr.on("data", (bytes: Buffer) => (stderr += bytes.toString()));
    await new Promise((resolve) => shell.on("close", resolve));
    expect({ stdout, stderr }).toEqual({ stdout: "y\n141\n", stderr: "" });
    await until("the command is gone", () => livingAs(mark).length === 0);
  });

  it("says why when stdout cannot be written, and ends with 125", async () => {
    const home = temporaryFolder();
    const full = openSync("/dev/full", "w");
    const child = spawn(process.execPath, [bin, "exec", "--", "echo lost; exit 3"], {
      env: cliEnv(home),
      stdio: ["ignore", full, "pipe"],
    });
    closeSync(full);
    let stderr = "";
    child.stderr?.on("data", (bytes: Buffer) => (stderr += bytes.toString()));
    const status = await new Promise((resolve) => child.on("close", resolve));
    expect(status).toBe(125);
    expect(stderr).toMatch(/stdout could not be written: ENOSPC/);
  });
});

describe("stdin of exec", () => {
  it("is empty for the command unless --stdin is given", async () => {
    const run = await runCli(temporaryFolder(), ["exec", "--", "cat; echo end"], {
      input: "not for the command",
    });
    expect(run.stdout).toBe("end\n");
  });

  it("arrives byte for byte with --stdin", async () => {
    const bytes = randomBytes(8 * 1024 * 1024);
    const run = await runCli(temporaryFolder(), ["exec", "--stdin", "--", "sha256sum"], { input: bytes });
    expect(run.stdout).toBe(`${createHash("sha256").update(bytes).digest("hex")}  -\n`);
  });

  it("need not be read to its end by the command", async () => {
    const run = await runCli(temporaryFolder(), ["exec", "--stdin", "--", "head -c 3; exit 4"], {
      input: "abc".repeat(1_000_000),
    });
    expect(run).toMatchObject({ status: 4, stdout: "abc", stderr: "" });
  });

  it("that stays open does not keep a finished command from ending", async () => {
    const child = startCli(temporaryFolder(), ["exec", "--stdin", "--", "exit 5"]);
    const status = await new Promise((resolve) => child.on("exit", resolve));
    expect(status).toBe(5);
    child.stdin?.destroy();
  });
});
