import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { channelArgv, driverText } from "../../src/shell/driver.js";
import { encodeRequest, makeNonce } from "../../src/shell/request.js";
import { HostEnvironment } from "./host-environment.js";

const env = { PATH: process.env["PATH"] ?? "", HOME: "/" };

/** Waits for a condition, at most ten seconds. */
async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!condition() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** A channel without a Talaria behind it: its bash, and the path of its files. */
async function startChannel(): Promise<{ bash: ReturnType<typeof spawn>; files: string }> {
  const driver = Buffer.from(driverText("0123abcd", "HELLO."), "latin1");
  const [program = "", ...words] = channelArgv(driver.length);
  const bash = spawn(program, words, { stdio: ["pipe", "pipe", "ignore"], detached: true, env });
  bash.stdin?.on("error", () => {});
  bash.stdin?.write(driver);
  if (bash.stdout === null) throw new Error("no stdout");
  let said = "";
  bash.stdout.on("data", (bytes: Buffer) => (said += bytes.toString("latin1")));
  await until(() => said.split("\n").length > 3);
  return { bash, files: said.split("\n")[2] ?? "" };
}

describe("the files of a channel", () => {
  it("are gone when its host was killed in the middle of a command", async () => {
    const { bash, files } = await startChannel();
    expect(existsSync(`${files}.s`)).toBe(true);
    const request = {
      script: Buffer.from("sleep 0.3; echo nobody reads this"),
      prelude: Buffer.alloc(0),
      inherit: Buffer.alloc(0),
      merge: true,
      stdin: false,
      functions: false,
    };
    bash.stdin?.end(encodeRequest(request, makeNonce()));
    bash.stdout?.destroy();
    await until(() => !existsSync(`${files}.s`));
    expect(existsSync(`${files}.s`)).toBe(false);
  });

  it("are removed by the next Talaria when the channel itself was killed", async () => {
    const { bash, files } = await startChannel();
    expect(existsSync(`${files}.s`)).toBe(true);
    const gone = once(bash, "exit");
    process.kill(-(bash.pid ?? 0), "SIGKILL");
    await gone;
    const environment = new HostEnvironment(env);
    onTestFinished(async () => {
      await environment.cleanup();
    });
    await environment.execute("sleep 30", { timeoutMs: 100, killGraceMs: 0 });
    await until(() => !existsSync(`${files}.s`));
    expect(existsSync(`${files}.s`)).toBe(false);
  });
});
