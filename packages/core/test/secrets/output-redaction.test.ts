import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { WrappedEnvironment } from "../../src/environment/minimal-environment.js";
import { readSpill } from "../../src/environment/spill-file.js";
import { Redactor } from "../../src/secrets/redactor.js";
import { CommandOutput, type CommandOutputOptions } from "../../src/shell/command-output.js";
import { openHost } from "../support/host-shell.js";

const value = "S3cret-of-the-house";
const redact = new Redactor([{ name: "HOUSE", value }]).outputRules("values");
const shown = "[redacted:HOUSE]";

let directory = "";
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "talaria-redaction-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
});

/** A PATH with what the one-shot shell needs and no bash. */
async function withoutBash(): Promise<string> {
  const bin = join(directory, "bin");
  await mkdir(bin);
  const busybox = existsSync("/bin/busybox") ? "/bin/busybox" : undefined;
  for (const name of ["sh", "cat", "id", "mkdir", "rm", "rmdir"]) {
    await symlink(busybox ?? `/bin/${name}`, join(bin, name));
  }
  return bin;
}

const commandOutput = (options: Partial<CommandOutputOptions> = {}): CommandOutput =>
  new CommandOutput({
    maxOutputBytes: 1_000,
    separate: false,
    spillDirectory: join(directory, "out"),
    onOutput: undefined,
    onFailure: (error) => expect.unreachable(String(error)),
    redact,
    ...options,
  });

describe("output of which secrets are taken out", () => {
  it("holds none in what is handed on, kept or spilled, and its counts agree with what is kept", async () => {
    let handedOn = "";
    const output = commandOutput({
      maxOutputBytes: 40,
      onOutput: ({ bytes }) => {
        handedOn += Buffer.from(bytes).toString();
      },
    });
    const whole = `${value} `.repeat(20);
    for (const character of whole) void output.take("stdout", Buffer.from(character));
    const { output: kept, truncated } = await output.finish();
    const clean = `${shown} `.repeat(20);
    expect(handedOn).toBe(clean);
    expect(kept).not.toContain("S3cret");
    expect(truncated).toMatchObject({ totalBytes: clean.length, spill: { bytes: clean.length } });
    expect(truncated?.droppedBytes).toBe(clean.length - 40);
    const spill = truncated?.spill;
    expect(spill && (await readSpill(spill, 0, 10_000)).toString()).toBe(clean);
    for (const name of await readdir(join(directory, "out"))) {
      expect(await readFile(join(directory, "out", name), "utf8")).not.toContain("S3cret");
    }
  });

  it("keeps the beginning of a secret that never came to its end", async () => {
    const output = commandOutput({ separate: true });
    void output.take("stderr", Buffer.from("end: S3cret-of"));
    void output.take("stdout", Buffer.from("-the-house"));
    expect(await output.finish()).toMatchObject({ stderr: "end: S3cret-of", stdout: "-the-house" });
  });

  it("reports a callback that fails at what was held back", async () => {
    const output = commandOutput({
      onOutput: () => {
        throw new Error("the consumer is broken");
      },
      onFailure: () => {},
    });
    void output.take("stdout", Buffer.from("S3cr"));
    await expect(output.finish()).rejects.toThrow("the consumer is broken");
  });

  it("is the very piece that came in when there is nothing to take out", () => {
    const seen: Uint8Array[] = [];
    const output = commandOutput({ redact: undefined, onOutput: ({ bytes }) => void seen.push(bytes) });
    const piece = Buffer.from("piece");
    void output.take("stdout", piece);
    expect(seen[0]).toBe(piece);
  });

  it.each(["in a warm shell", "where there is only sh"])("holds none %s", async (place) => {
    const host = openHost(place === "in a warm shell" ? {} : { PATH: await withoutBash() });
    const script = `printf S3cret; printf -- '-of-the-'; echo house; echo ${value} >&2`;
    expect((await host.execute(script, { redact })).output).toBe(`${shown}\n${shown}\n`);
    const apart = await host.execute(script, { redact, separate: true });
    expect([apart.stdout, apart.stderr]).toEqual([`${shown}\n`, `${shown}\n`]);
    expect((await host.execute(`echo ${value}`)).output).toBe(`${value}\n`);
  });

  it("holds none in what was printed before a timeout", async () => {
    const result = await openHost().execute(`printf ${value}; sleep 60`, {
      redact,
      timeoutMs: 300,
      killGraceMs: 100,
    });
    expect(result.outcome.kind).toBe("timedOut");
    expect(result.output).toBe(shown);
  });

  it("holds none from the smallest environment", async () => {
    const minimal = new WrappedEnvironment(
      {
        execute: async () => ({ output: `<${value}>`, exitCode: 0 }),
        cleanup: async () => {},
      },
      { backend: "acme" },
    );
    const pieces: string[] = [];
    const result = await minimal.execute("anything", {
      redact,
      onOutput: ({ bytes }) => void pieces.push(Buffer.from(bytes).toString()),
    });
    expect([result.output, ...pieces]).toEqual([`<${shown}>`, `<${shown}>`]);
  });

  it("lacks what looks like a token when asked for that, a private key over many lines too", async () => {
    const patterns = new Redactor().outputRules("patterns");
    const output = commandOutput({ redact: patterns, maxOutputBytes: 10_000 });
    const token = `ghp_${"aB3".repeat(12)}`;
    const text = `one ${token}\n-----BEGIN PRIVATE KEY-----\n${"QUJD".repeat(16)}\n-----END PRIVATE KEY-----\ntwo \xff`;
    for (const byte of Buffer.from(text, "latin1")) void output.take("stdout", Buffer.from([byte]));
    const { outputBytes } = await output.finish();
    expect(Buffer.from(outputBytes).toString("latin1")).toBe(
      "one [redacted:github_token]\n[redacted:private_key]\ntwo \xff",
    );
  });
});
