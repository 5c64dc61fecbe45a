import { execFileSync, spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { MinimalEnvironment, TerminalEnvironment } from "../../../src/environment/environment.js";
import { openSession } from "../../../src/session/open-session.js";
import type { TerminalSession } from "../../../src/session/terminal-session.js";
import { HostEnvironment } from "../../shell/host-environment.js";
import { temporaryFolder } from "../../support/host-shell.js";
import { HostFileEnvironment } from "./host-file-environment.js";

const path = process.env["PATH"] ?? "";

/** A PATH with nothing but busybox. */
function busyboxPath(): string {
  const bin = mkdtempSync(join(tmpdir(), "talaria-busybox-"));
  onTestFinished(() => rmSync(bin, { recursive: true, force: true }));
  const busybox = execFileSync("sh", ["-c", "command -v busybox"], { encoding: "utf8" }).trim();
  for (const name of execFileSync(busybox, ["--list"], { encoding: "utf8" }).split("\n")) {
    if (name !== "") symlinkSync(busybox, join(bin, name));
  }
  return bin;
}

/** As an environment of a service without streams of its own: no `spawn`. */
class WithoutSpawn extends HostEnvironment {
  constructor() {
    super({ PATH: path, HOME: tmpdir() });
    const own = super.spawn.bind(this);
    // What core derives commands from stays; tools ask for the member, and do not find it.
    this.hidden = new Proxy(this, {
      get: (target, member) => {
        if (member === "spawn") return undefined;
        const value: unknown = Reflect.get(target, member, target);
        return typeof value === "function"
          ? (...args: unknown[]): unknown => Reflect.apply(value, target, args)
          : value;
      },
      has: (target, member) => member !== "spawn" && member in target,
    });
    this.spawn = own;
  }
  readonly hidden: TerminalEnvironment;
}

const minimal: MinimalEnvironment = {
  async execute(command) {
    const run = spawnSync("bash", ["-c", command], { encoding: "utf8", maxBuffer: 1e8 });
    return { output: run.stdout + run.stderr, exitCode: run.status };
  },
  cleanup: () => undefined,
};

const environments: Readonly<Record<string, () => TerminalEnvironment | MinimalEnvironment>> = {
  "over a process": () => new HostEnvironment({ PATH: path, HOME: tmpdir() }),
  "over open files of this machine": () => new HostFileEnvironment(path, tmpdir()),
  "over open files of this machine with busybox": () => new HostFileEnvironment(busyboxPath(), tmpdir()),
  "over a process of busybox": () => new HostEnvironment({ PATH: busyboxPath(), HOME: tmpdir() }),
  "over a command's streams, where nothing can be spawned": () => new WithoutSpawn().hidden,
  "in pieces, where there is nothing but text": () => minimal,
};

async function open(backend: TerminalEnvironment | MinimalEnvironment): Promise<TerminalSession> {
  const talariaHome = await temporaryFolder();
  const session = await openSession({ backend, talariaHome });
  onTestFinished(async () => {
    await session.close();
  });
  return session;
}

describe("a transfer", () => {
  for (const [title, make] of Object.entries(environments)) {
    it(`moves files and trees ${title}`, { timeout: 60_000 }, async () => {
      const session = await open(make());
      const folder = await temporaryFolder();
      const bytes = Buffer.from(Array.from({ length: 400_000 }, (_, index) => (index * 31) % 256));
      mkdirSync(join(folder, "t/sub/empty"), { recursive: true });
      mkdirSync(join(folder, "to"));
      writeFileSync(join(folder, "t/sub/a b'c"), bytes);
      writeFileSync(join(folder, "t/-none"), "");
      symlinkSync("sub/a b'c", join(folder, "t/link"));
      await session.files.upload(join(folder, "t"), join(folder, "to"));
      await session.files.upload(`${join(folder, "t")}/`, join(folder, "to/t"));
      await session.files.upload(join(folder, "t/sub/a b'c"), join(folder, "to/x"), { verify: true });
      const down = await session.files.download(join(folder, "to/t"), join(folder, "back"));
      await session.files.download(join(folder, "to/x"), join(folder, "y"), { verify: true });
      await session.files.copyTo(join(folder, "to/t"), session.files, join(folder, "copied"));
      expect(down).toMatchObject({ files: 2, directories: 2, links: 1, bytes: bytes.length });
      for (const place of ["to/t", "back", "copied"]) {
        expect(readFileSync(join(folder, place, "sub/a b'c")).equals(bytes)).toBe(true);
        expect(readdirSync(join(folder, place)).sort()).toEqual(["-none", "link", "sub"]);
      }
      expect(readFileSync(join(folder, "y")).equals(bytes)).toBe(true);
      expect(readdirSync(folder).sort()).toEqual(["back", "copied", "t", "to", "y"]);
      expect(readdirSync(join(folder, "to")).sort()).toEqual(["t", "x"]);
    });

    it(`leaves nothing when it is cut off ${title}`, { timeout: 60_000 }, async () => {
      const session = await open(make());
      const folder = await temporaryFolder();
      mkdirSync(join(folder, "t"));
      mkdirSync(join(folder, "to"));
      for (const name of ["a", "b", "c"]) writeFileSync(join(folder, "t", name), Buffer.alloc(300_000, name));
      const cancel = new AbortController();
      const cut = session.files.upload(join(folder, "t"), join(folder, "to"), {
        signal: cancel.signal,
        onProgress: () => cancel.abort(new Error("enough")),
      });
      await expect(cut).rejects.toThrow("enough");
      expect(readdirSync(join(folder, "to"))).toEqual([]);
      const stopped = session.files.download(join(folder, "t"), join(folder, "to"), {
        limits: { maxBytes: 400_000 },
      });
      await expect(stopped).rejects.toMatchObject({ reason: "too_large" });
      expect(readdirSync(join(folder, "to"))).toEqual([]);
    });
  }

  it("says so when its process in the sandbox is killed, and leaves nothing", async () => {
    const environment = new HostEnvironment({ PATH: path, HOME: tmpdir() });
    const session = await open(environment);
    const folder = await temporaryFolder();
    writeFileSync(join(folder, "large"), Buffer.alloc(30_000_000));
    mkdirSync(join(folder, "to"));
    const spawn = environment.spawn.bind(environment);
    environment.spawn = async (argv, options) => {
      const process = await spawn(argv, options);
      if (argv.join(" ").includes("talaria:"))
        process.stdin.once("drain", () => void process.kill("SIGKILL"));
      return process;
    };
    const upload = session.files.upload(join(folder, "large"), join(folder, "to"));
    await expect(upload).rejects.toMatchObject({ code: "file", reason: "io" });
    expect(readdirSync(join(folder, "to"))).toEqual([]);
  });

  it("refuses a place that steers logins, unless that is meant", async () => {
    const home = await temporaryFolder();
    const session = await open(new HostEnvironment({ PATH: path, HOME: home }));
    const folder = await temporaryFolder();
    writeFileSync(join(folder, ".bashrc"), "x");
    await expect(session.files.upload(join(folder, ".bashrc"), home)).rejects.toMatchObject({
      reason: "refused",
    });
    expect(readdirSync(home)).toEqual([]);
    await session.files.upload(join(folder, ".bashrc"), home, { allowSensitive: true });
    expect(readdirSync(home)).toEqual([".bashrc"]);
  });

  it("stops a single file at a limit, both ways", async () => {
    const session = await open(new HostEnvironment({ PATH: path, HOME: tmpdir() }));
    const folder = await temporaryFolder();
    writeFileSync(join(folder, "f"), Buffer.alloc(1_001));
    const limits = { maxBytes: 1_000 };
    const up = session.files.upload(join(folder, "f"), join(folder, "up"), { limits });
    await expect(up).rejects.toMatchObject({ reason: "too_large" });
    const down = session.files.download(join(folder, "f"), join(folder, "down"), { limits });
    await expect(down).rejects.toMatchObject({ reason: "too_large" });
    expect(readdirSync(folder)).toEqual(["f"]);
  });

  it("brings a file of /proc, which says that it is empty, both ways", async () => {
    const session = await open(new HostEnvironment({ PATH: path, HOME: tmpdir() }));
    const folder = await temporaryFolder();
    await session.files.upload("/proc/version", join(folder, "up"));
    await session.files.download("/proc/version", join(folder, "down"));
    expect(readFileSync(join(folder, "up"), "utf8")).toBe(readFileSync("/proc/version", "utf8"));
    expect(readFileSync(join(folder, "down"), "utf8")).toBe(readFileSync("/proc/version", "utf8"));
  });
});
