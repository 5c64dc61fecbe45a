import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SpawnError, TalariaError, WorkdirError } from "@talaria/core";
import { describe, expect, test } from "vitest";
import { bytesOf, finish, lineOf, openEnvironment, runBash, temporaryFolder } from "./local-bed.js";

async function failure(promise: Promise<unknown>): Promise<TalariaError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!TalariaError.isInstance(error)) throw new Error(`expected a TalariaError, got ${String(error)}`);
  return error;
}

describe("a spawned process", () => {
  test("gives both streams apart and its exit code", async () => {
    const result = await runBash(openEnvironment(), "echo out; echo err >&2; exit 3");
    expect(result).toEqual({ exit: { kind: "exited", code: 3 }, stdout: "out\n", stderr: "err\n" });
  });

  test.each([
    ["TERM", 15],
    ["KILL", 9],
    ["USR1", 10],
    ["SEGV", 11],
  ])("that ends by SIG%s reports the signal, not a code", async (name, signalNumber) => {
    const { exit } = await runBash(openEnvironment(), `kill -${name} $$`);
    expect(exit).toEqual({ kind: "signaled", signal: `SIG${name}`, signalNumber });
  });

  test("that exits with 137 by itself has exited", async () => {
    const { exit } = await runBash(openEnvironment(), "exit 137");
    expect(exit).toEqual({ kind: "exited", code: 137 });
  });

  test("gets its arguments as they are, without a shell in between", async () => {
    const words = ["", " ", "a b", "$HOME", "*", "'", '"', "\n", "-n", "ü"];
    const { stdout } = await finish(await openEnvironment().spawn(["printf", "%s\\0", ...words]));
    expect(stdout.split("\0").slice(0, -1)).toEqual(words);
  });

  test("leads its own session and process group", async () => {
    const process_ = await openEnvironment().spawn(["sleep", "60"]);
    const fields = readFileSync(`/proc/${process_.pid}/stat`, "utf8").split(") ")[1]?.split(" ");
    await process_.kill("SIGKILL");
    expect(fields?.slice(2, 4)).toEqual([String(process_.pid), String(process_.pid)]);
  });

  test("starts in the directory asked for, else in the environment's own", async () => {
    const folder = await temporaryFolder();
    const environment = openEnvironment({ directory: folder });
    expect((await runBash(environment, "pwd")).stdout).toBe(`${folder}\n`);
    expect((await runBash(environment, "pwd", { cwd: "/usr" })).stdout).toBe("/usr\n");
  });

  test("reports its exit although a child of it keeps the streams open", async () => {
    const process_ = await openEnvironment().spawn(["bash", "-c", "sleep 60 & echo $!; exit 4"]);
    const [pid] = await lineOf(process_, /\d+/);
    expect(await process_.exit).toEqual({ kind: "exited", code: 4 });
    process.kill(Number(pid), "SIGKILL");
  });

  test("loses nothing when it is read only after its end", async () => {
    const process_ = await openEnvironment().spawn(["bash", "-c", "printf %30000s x"]);
    await process_.exit;
    expect((await bytesOf(process_.stdout)).length).toBe(30_000);
  });

  test("does not end because nobody reads it or its input is closed", async () => {
    const process_ = await openEnvironment().spawn(["bash", "-c", "read -r line; echo got $line; sleep 60"]);
    process_.stdin.end("x\n");
    await lineOf(process_, /got x/);
    expect(() => process.kill(process_.pid ?? -1, 0)).not.toThrow();
    await process_.kill("SIGKILL");
    expect(await process_.exit).toMatchObject({ kind: "signaled", signal: "SIGKILL" });
  });
});

describe("the streams", () => {
  test("carry 64 MiB in and out byte for byte", async () => {
    const block = randomBytes(1024 * 1024);
    const sent = createHash("sha256");
    const received = createHash("sha256");
    const process_ = await openEnvironment().spawn(["cat"]);
    process_.stdout.on("data", (bytes: Buffer) => received.update(bytes));
    const ended = new Promise((resolve) => process_.stdout.once("end", resolve));
    for (let index = 0; index < 64; index += 1) {
      sent.update(block);
      if (!process_.stdin.write(block)) await new Promise((resolve) => process_.stdin.once("drain", resolve));
    }
    process_.stdin.end();
    await ended;
    expect(await process_.exit).toEqual({ kind: "exited", code: 0 });
    expect(received.digest("hex")).toBe(sent.digest("hex"));
  });

  test("are pipes that can be opened by name", async () => {
    const script = "echo one >/dev/stderr; echo two | tee /dev/stderr; cat /dev/stdin";
    const process_ = await openEnvironment().spawn(["bash", "-c", script]);
    process_.stdin.write("three\n");
    const { stdout, stderr } = await finish(process_);
    expect(stdout).toBe("two\nthree\n");
    expect(stderr).toBe("one\ntwo\n");
  });

  test("are sockets where no pipes can be made, and carry the same", async () => {
    const environment = openEnvironment({ bash: "/no/such/bash" });
    const process_ = await environment.spawn(["sh", "-c", "ls -l /proc/$$/fd/0; cat; echo err >&2; exit 3"]);
    process_.stdin.write("in\n");
    const { stdout, stderr, exit } = await finish(process_);
    expect(stdout).toMatch(/socket:.*\nin\n$/);
    expect({ stderr, exit }).toEqual({ stderr: "err\n", exit: { kind: "exited", code: 3 } });
  });

  test("are enough for many processes started at once", async () => {
    const environment = openEnvironment();
    const numbers = Array.from({ length: 40 }, (_, index) => String(index));
    const results = await Promise.all(
      numbers.map((number) => runBash(environment, `cat /dev/stdin; echo ${number}`)),
    );
    expect(results.map(({ stdout }) => stdout.trim())).toEqual(numbers);
  });

  test("do not take the host down when a program ends before it has read its input", async () => {
    const process_ = await openEnvironment().spawn(["true"]);
    await process_.exit;
    const error = await new Promise((resolve) => process_.stdin.write(Buffer.alloc(1_000_000), resolve));
    expect(error).toBeInstanceOf(Error);
  });

  test("end for the program when the host stops reading them", async () => {
    const process_ = await openEnvironment().spawn(["yes"]);
    process_.stdout.destroy();
    expect(await process_.exit).toMatchObject({ kind: "signaled", signal: "SIGPIPE" });
  });
});

describe("a process that cannot be started", () => {
  test("is an error with the reason when the program is missing", async () => {
    const error = await failure(openEnvironment().spawn(["no-such-program-here"]));
    expect(error).toBeInstanceOf(SpawnError);
    expect(error).toMatchObject({ code: "spawn", reason: "ENOENT", backend: "local" });
    expect(error.message).toContain('"no-such-program-here" was not found in PATH');
    expect(error.hint).toContain("terminal.backends.local.pass_env");
  });

  test("is an error with the reason when the file is not executable", async () => {
    const path = join(await temporaryFolder(), "plain");
    await writeFile(path, "#!/bin/sh\n");
    expect(await failure(openEnvironment().spawn([path]))).toMatchObject({ code: "spawn", reason: "EACCES" });
  });

  test("names the interpreter when only that is missing", async () => {
    const path = join(await temporaryFolder(), "script");
    await writeFile(path, "#!/no/such/interpreter\n");
    await chmod(path, 0o755);
    expect((await failure(openEnvironment().spawn([path]))).message).toContain("interpreter");
  });

  test("is an error, and no exit code, when an argument is too long", async () => {
    const error = await failure(openEnvironment().spawn(["true", "x".repeat(200_000)]));
    expect(error).toMatchObject({ code: "spawn", reason: "E2BIG" });
    expect(error.hint).toContain("standard input");
  });

  test("tells a missing directory from a missing program", async () => {
    const error = await failure(openEnvironment().spawn(["true"], { cwd: "/no/such/folder" }));
    expect(error).toBeInstanceOf(WorkdirError);
    expect(error).toMatchObject({ workdir: "/no/such/folder" });
  });

  test("says so when the directory is a file or a dangling link", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "file"), "");
    await symlink("/no/such", join(folder, "link"));
    await mkdir(join(folder, "directory"));
    const environment = openEnvironment();
    const file = await failure(environment.spawn(["true"], { cwd: join(folder, "file") }));
    const link = await failure(environment.spawn(["true"], { cwd: join(folder, "link") }));
    expect(file.message).toContain("is not a directory");
    expect(link.message).toContain("does not exist");
  });

  test.each([
    ["an empty argv", []],
    ["an empty program", [""]],
    ["a NUL in an argument", ["true", "a\0b"]],
  ])("is refused for %s", async (_name, argv) => {
    expect(await failure(openEnvironment().spawn(argv))).toMatchObject({ code: "invalid_argument" });
  });

  test.each(["", "A=B", "A\0"])("is refused for the variable name %j", async (name) => {
    const error = await failure(openEnvironment().spawn(["true"], { env: { [name]: "x" } }));
    expect(error).toMatchObject({ code: "invalid_argument", argument: "env" });
  });
});
