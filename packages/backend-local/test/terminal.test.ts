import { createHash, randomBytes } from "node:crypto";
import { readdirSync, readlinkSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SandboxProcess, SpawnOptions } from "@talaria/core";
import { describe, expect, test, vi } from "vitest";
import { findPty } from "../src/terminal/pty-binding.js";
import { bytesOf, finish, lineOf, openEnvironment, temporaryFolder } from "./local-bed.js";

const tty = { columns: 100, rows: 30 };

function open(script: string, options: SpawnOptions = {}): Promise<SandboxProcess> {
  return openEnvironment().spawn(["bash", "--norc", "-c", script], { tty, ...options });
}

function digest(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Numbered lines of which none can be missing, swapped or doubled unseen. */
function numberedLines(count: number): string {
  return Array.from({ length: count }, (_, index) => `line ${index + 1}\r\n`).join("");
}

describe("a process on a terminal", () => {
  test("sees a terminal on all three streams, with its size and type", async () => {
    const { stdout, stderr, exit } = await finish(
      await open("test -t 0 && test -t 1 && test -t 2 && stty size; echo $TERM"),
    );
    expect(stdout).toBe("30 100\r\nxterm-256color\r\n");
    expect(stderr).toBe("");
    expect(exit).toEqual({ kind: "exited", code: 0 });
  });

  test("has the type of terminal that was asked for", async () => {
    const { stdout } = await finish(await open("echo $TERM", { tty: { ...tty, term: "vt100" } }));
    expect(stdout).toBe("vt100\r\n");
  });

  test("learns of a new size by a signal", async () => {
    const process_ = await open("trap 'stty size; exit' WINCH; echo ready; while :; do read -t 0.05; done");
    const resized = lineOf(process_, /40 132/);
    await lineOf(process_, /ready/);
    process_.resize?.({ columns: 132, rows: 40 });
    await resized;
    expect(await process_.exit).toEqual({ kind: "exited", code: 0 });
  });

  test.each([0, 1, 7, 255])("reports exit code %i", async (code) => {
    expect((await finish(await open(`exit ${code}`))).exit).toEqual({ kind: "exited", code });
  });

  test.each([
    ["TERM", 15],
    ["KILL", 9],
    ["RTMIN", 34],
  ])("reports an end by SIG%s", async (name, signalNumber) => {
    const { exit } = await finish(await open(`kill -${name} $$`));
    expect(exit).toMatchObject({ kind: "signaled", signalNumber });
  });

  test("reads what is typed", async () => {
    const process_ = await open("read -r line; echo got: $line");
    const answer = lineOf(process_, /got: hello\r\n/);
    process_.stdin.write("hello\n");
    await answer;
    expect(await process_.exit).toEqual({ kind: "exited", code: 0 });
  });

  test("is ended by a Ctrl-C that is typed", async () => {
    const process_ = await open("echo ready; sleep 60");
    await lineOf(process_, /ready/);
    process_.stdin.write("\x03");
    expect(await process_.exit).toMatchObject({ kind: "signaled", signal: "SIGINT" });
  });

  test("is ended by kill together with a job that has a group of its own", async () => {
    const process_ = await open("set -m; trap : TERM; (echo job $BASHPID; exec sleep 60)");
    const [, job] = await lineOf(process_, /job (\d+)/);
    await process_.kill("SIGTERM");
    await process_.exit;
    expect(() => process.kill(Number(job), 0)).toThrow("ESRCH");
  });
});

describe("the output of a terminal", () => {
  test.each(Array.from({ length: 12 }, (_, round) => round))(
    "is whole when the program ends right after it (round %i)",
    async () => {
      const process_ = await open("for ((i = 1; i <= 5000; i++)); do echo line $i; done");
      expect((await bytesOf(process_.stdout)).toString()).toBe(numberedLines(5_000));
    },
  );

  test("is whole for a reader that starts after the end", async () => {
    const process_ = await open("for ((i = 1; i <= 250; i++)); do echo line $i; done");
    await process_.exit;
    expect((await bytesOf(process_.stdout)).toString()).toBe(numberedLines(250));
  });

  test("is whole for a slow reader, long after the end", async () => {
    const process_ = await open("for ((i = 1; i <= 400; i++)); do echo line $i; done");
    const chunks: Buffer[] = [];
    for await (const chunk of process_.stdout) {
      chunks.push(chunk as Buffer);
      // Slower than the 200 ms after which the library of the native part gives up.
      await new Promise((resolve) => setTimeout(resolve, 120));
    }
    expect(Buffer.concat(chunks).toString()).toBe(numberedLines(400));
  });

  test("is all in the stream when the exit is reported", async () => {
    const process_ = await open("for ((i = 1; i <= 300; i++)); do echo line $i; done");
    let seen = "";
    process_.stdout.on("data", (bytes: Buffer) => (seen += bytes.toString()));
    await process_.exit;
    const buffered = process_.stdout.readableLength;
    expect(seen.length + buffered).toBe(numberedLines(300).length);
  });

  test("carries 1 MiB of raw bytes out", async () => {
    const payload = randomBytes(1024 * 1024);
    const path = join(await temporaryFolder(), "payload");
    await writeFile(path, payload);
    const process_ = await open('stty raw; exec cat "$PAYLOAD"', { env: { PAYLOAD: path } });
    expect(digest(await bytesOf(process_.stdout))).toBe(digest(payload));
  });

  test("carries 1 MiB of raw bytes in", async () => {
    const payload = randomBytes(1024 * 1024);
    const process_ = await open("stty raw -echo; echo ready; head -c 1048576 | sha256sum");
    const answer = lineOf(process_, /[0-9a-f]{64}/);
    await lineOf(process_, /ready/);
    process_.stdin.write(payload);
    expect((await answer)[0]).toBe(digest(payload));
  });

  test("comes back while more is still being typed than the terminal can hold", async () => {
    const payload = Buffer.alloc(1024 * 1024, "talaria ");
    const process_ = await open("stty raw -echo; echo ready; head -c 1048576");
    let echoed = 0;
    const whole = new Promise<void>((resolve) => {
      process_.stdout.on("data", (bytes: Buffer) => {
        echoed += bytes.length;
        if (echoed >= payload.length + "ready\n".length) resolve();
      });
    });
    await lineOf(process_, /ready/);
    process_.stdin.write(payload);
    await whole;
    expect(await process_.exit).toEqual({ kind: "exited", code: 0 });
  });

  test("nobody wants does not stop the program", async () => {
    const process_ = await open("head -c 300000 /dev/zero; exit 5");
    process_.stdout.destroy();
    expect(await process_.exit).toEqual({ kind: "exited", code: 5 });
  });

  test("goes on after the exit while a descendant holds the terminal", async () => {
    const process_ = await open("trap '' HUP; (sleep 0.3; echo late) & exit 6");
    const late = lineOf(process_, /late/);
    expect(await process_.exit).toEqual({ kind: "exited", code: 6 });
    await expect(late).resolves.toBeDefined();
  });
});

describe("a terminal", () => {
  test("is not inherited by processes and terminals that are started after it", async () => {
    const environment = openEnvironment();
    const terminal = await environment.spawn(["sleep", "60"], { tty });
    const other = await environment.spawn(["sleep", "60"]);
    const list = await environment.spawn(["ls", "-l", "/proc/self/fd"], { tty });
    const held = readdirSync(`/proc/${other.pid}/fd`).map((fd) =>
      readlinkSync(`/proc/${other.pid}/fd/${fd}`),
    );
    const listed = (await finish(list)).stdout;
    await Promise.all([terminal.kill("SIGKILL"), other.kill("SIGKILL")]);
    expect(held.filter((path) => path.includes("ptmx") || path.includes("/dev/pts"))).toEqual([]);
    expect(listed).toContain("/dev/pts");
    expect(listed).not.toContain("ptmx");
  });

  test.each([
    ["columns", { columns: 0, rows: 30 }],
    ["rows", { columns: 80, rows: Number.NaN }],
    ["columns", { columns: 70_000, rows: 30 }],
  ])("cannot have impossible %s", async (argument, size) => {
    const started = openEnvironment().spawn(["true"], { tty: size });
    await expect(started).rejects.toMatchObject({ code: "invalid_argument", argument });
  });

  test.each([
    ["a missing program", ["no-such-program-here"], "/", "spawn"],
    ["a missing directory", ["true"], "/no/such/folder", "workdir"],
    ["an argument that is too long", ["true", "x".repeat(200_000)], "/", "spawn"],
  ])("refuses %s before it is opened", async (_name, argv, cwd, code) => {
    await expect(openEnvironment().spawn(argv, { tty, cwd })).rejects.toMatchObject({ code });
  });

  test("without its native part is refused by the package's name, and says what still works", async () => {
    vi.spyOn(process, "arch", "get").mockReturnValue("mips");
    vi.resetModules();
    const { findPty: findFresh, loadPty } = await import("../src/terminal/pty-binding.js");
    expect(findFresh()).toBeUndefined();
    expect(loadPty).toThrow(
      /@lydell\/node-pty-linux-mips, which could not be loaded; commands without a terminal work as before/,
    );
  });

  test("has its native part installed here", () => {
    expect(findPty()).toContain("pty.node");
  });
});
