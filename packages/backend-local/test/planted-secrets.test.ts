import { readdirSync, readFileSync, statSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import {
  loadConfig,
  openSession,
  type OpenSessionOptions,
  type TalariaError,
  type TerminalSession,
} from "@talaria/core";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { local } from "../src/index.js";
import { temporaryFolder } from "./local-bed.js";

/** Where secrets are put: each text occurs nowhere else. */
const plant = (what: string): string => `plant-${what}-${randomBytes(12).toString("hex")}`;

const planted = {
  strip: plant("strip"),
  named: plant("named"),
  unknown: plant("unknown"),
  passed: plant("passed"),
  config: plant("config"),
  given: plant("given"),
  input: plant("input"),
};
const hostVariables: Readonly<Record<string, string>> = {
  MODAL_TOKEN_SECRET: planted.strip,
  GITHUB_TOKEN: planted.named,
  ACME_LAUNCH_WORDS: planted.unknown,
  PASSED_KEY: planted.passed,
};

/** A text in the forms in which a leak would show, however it was written down. */
function formsOf(secret: string): readonly string[] {
  const base64 = [0, 1, 2].map((before) =>
    Buffer.from("x".repeat(before) + secret)
      .toString("base64")
      .slice(4, 24),
  );
  return [secret, Buffer.from(secret).toString("hex"), encodeURIComponent(secret), ...base64];
}

/** Looks for planted secrets, and counts where it has looked. */
class Search {
  static places = 0;
  static readonly finds: string[] = [];
  readonly #secrets: readonly (keyof typeof planted)[];

  constructor(...secrets: readonly (keyof typeof planted)[]) {
    this.#secrets = secrets.length === 0 ? (Object.keys(planted) as (keyof typeof planted)[]) : secrets;
  }

  in(place: string, text: string): void {
    Search.places += 1;
    for (const name of this.#secrets) {
      if (formsOf(planted[name]).some((form) => text.includes(form)))
        Search.finds.push(`${name} in ${place}`);
    }
  }

  /** All files below a folder, names and contents. */
  under(folder: string): void {
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      this.in(`the name ${name}`, name);
      // The user's own, where the secret is kept.
      if (name === "config.yaml") continue;
      const path = join(folder, name);
      const found = statSync(path, { throwIfNoEntry: false });
      if (found?.isFile() === true) this.in(path, readFileSync(path, "latin1"));
    }
  }

  /** Everything an error shows, causes included. */
  error(place: string, error: unknown): void {
    for (let current = error, depth = 0; current instanceof Error && depth < 5; depth++) {
      const { message, stack, cause } = current;
      const { hint } = current as TalariaError;
      this.in(`${place}: error`, [message, stack, hint, JSON.stringify(current), String(cause)].join("\n"));
      current = cause;
    }
  }
}

/** Processes that descend from this one: what the sessions of these tests have started. */
function descendants(): readonly number[] {
  const parents = new Map<number, number>();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const stat = readOf(`/proc/${pid}/stat`);
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    parents.set(Number(pid), parent);
  }
  const isOurs = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === process.pid || isOurs(parent));
  };
  return [...parents.keys()].filter(isOurs);
}

/** Empty for what has ended meanwhile. */
function readOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

let home = "";
let work = "";
beforeEach(async () => {
  const before = Object.entries({ ...hostVariables, TMPDIR: "" }).map(
    ([name]) => [name, process.env[name]] as const,
  );
  home = await temporaryFolder();
  work = await temporaryFolder();
  await mkdir(join(home, "tmp"));
  Object.assign(process.env, hostVariables, { TMPDIR: join(home, "tmp") });
  onTestFinished(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
  await writeFile(
    join(home, "config.yaml"),
    [
      "terminal:",
      "  env_passthrough: [PASSED_KEY]",
      "  backends:",
      "    acme:",
      `      api_key: ${planted.config}`,
    ].join("\n"),
    { mode: 0o600 },
  );
});

async function open(options: Partial<OpenSessionOptions> = {}): Promise<TerminalSession> {
  const config = await loadConfig({ talariaHome: home, cwd: work });
  const session = await openSession({
    backend: local(),
    config,
    talariaHome: home,
    cwd: work,
    secrets: { CALLERS_OWN: planted.given },
    ...options,
  });
  onTestFinished(async () => {
    await session.close();
  });
  return session;
}

describe.runIf(process.platform === "linux")("planted secrets", () => {
  test("are in no argument and no environment of anything that is started", async () => {
    const session = await open();
    const aborter = new AbortController();
    const running = session.execute("sleep 300; cat", { stdin: planted.input, signal: aborter.signal });
    const other = session.execute("(sleep 300; :) & sleep 300", { signal: aborter.signal });
    const spawned = await session.spawn(["sleep", "300"]);
    const terminal = await session.spawn(["sleep", "300"], { tty: { columns: 80, rows: 24 } });
    const job = await session.jobs.start("sleep 300");
    await expect
      .poll(() => descendants().filter((pid) => readOf(`/proc/${pid}/cmdline`).includes("300")).length, {
        timeout: 20_000,
      })
      .toBeGreaterThanOrEqual(5);
    const pids = descendants();
    expect(pids.length).toBeGreaterThan(6);
    for (const pid of pids) {
      new Search().in(`the arguments of ${pid}`, readOf(`/proc/${pid}/cmdline`));
      // What the user passes on by name is there for the agent to use.
      new Search("strip", "named", "unknown", "config", "given", "input").in(
        `the environment of ${pid}`,
        readOf(`/proc/${pid}/environ`),
      );
    }
    aborter.abort();
    await Promise.all([running, other]);
    await spawned.kill("SIGKILL");
    await terminal.kill("SIGKILL");
    await job.stop({ graceMs: 100 });
    expect(Search.finds).toEqual([]);
  }, 60_000);

  test("are usable where they are passed on, and shown nowhere", async () => {
    const session = await open();
    expect((await session.execute('printf %s "${#PASSED_KEY}"')).output).toBe(String(planted.passed.length));
    const script = 'env; set; echo "$PASSED_KEY"; printf %s "$PASSED_KEY" | base64; export -p';
    const result = await session.execute(script, { maxOutputBytes: 4_000_000 });
    new Search().in(
      "the output",
      JSON.stringify(result) + Buffer.from(result.outputBytes).toString("latin1"),
    );
    expect(result.output).toContain("[redacted:PASSED_KEY]");
    const job = await session.jobs.start('echo "$PASSED_KEY"; echo "$PASSED_KEY" >&2');
    await job.wait();
    new Search().in("what is read of a job", (await job.read()).text);
    for await (const chunk of job.follow()) {
      new Search().in("what is followed of a job", Buffer.from(chunk.bytes).toString("latin1"));
    }
    expect(Search.finds).toEqual([]);
  }, 60_000);

  test("are in no result and no error of commands that fail, time out, are cancelled or are refused", async () => {
    const session = await open({ approvals: { deny: ["forbidden *"] } });
    const secrets = `${planted.given} ${planted.config} ${planted.named} ${planted.strip} ${planted.passed}`;
    const say = `echo ${secrets}; echo ${secrets} >&2`;
    const shown: string[] = [];
    const onOutput = ({ bytes }: { bytes: Uint8Array }): void =>
      void shown.push(Buffer.from(bytes).toString("latin1"));
    const cases = [
      session.execute(`${say}; exit 3`, { onOutput }),
      session.execute(`${say}; exit 3`, { separate: true, onOutput }),
      session.execute(`${say}; kill -9 $$; kill -9 $BASHPID`, { onOutput }),
      session.execute(`${say}; exec -a ${planted.given} sleep 300`, {
        timeoutMs: 500,
        killGraceMs: 50,
        onOutput,
      }),
      session.execute(`${say}; sleep 300`, { signal: AbortSignal.timeout(500), killGraceMs: 50, onOutput }),
      session.execute(`forbidden ${secrets}`),
      session.execute(`while :; do ${say}; done | head -c 3000000`, { maxOutputBytes: 5_000, onOutput }),
      session.execute(`sh -c 'sleep 2; :' ${planted.given} & :`),
      session.execute(`${say}; if`),
    ];
    for (const [index, result] of (await Promise.all(cases)).entries()) {
      const place = `result ${index} (${result.outcome.kind})`;
      new Search().in(place, JSON.stringify(result));
      new Search().in(place, Buffer.from(result.outputBytes).toString("latin1"));
      try {
        result.orThrow();
      } catch (error) {
        new Search().error(place, error);
      }
    }
    new Search().in("what came on the way", shown.join(""));
    const failing = [
      session.execute("true", { workdir: `/nowhere/${planted.given}` }),
      session.execute("true", { env: { [`BAD ${planted.given}`]: "x" } }),
      session.execute("true", { user: planted.given }),
      session.spawn([`/nowhere/${planted.given}`]),
      session.files.read(`/nowhere/${planted.given}`),
      session.files.list(`/nowhere/${planted.given}`),
      session.files.remove(`/nowhere/${planted.given}`),
      session.jobs.get(planted.given),
      session.jobs.start("true", { workdir: `/nowhere/${planted.given}` }),
    ];
    for (const [index, outcome] of (await Promise.allSettled(failing)).entries()) {
      expect(outcome.status).toBe("rejected");
      if (outcome.status === "rejected") new Search().error(`failing call ${index}`, outcome.reason);
    }
    await session.close();
    new Search().under(home);
    expect(Search.finds).toEqual([]);
  }, 90_000);

  test("are in nothing that is kept: sessions, audit, long output, caches, temporary folders", async () => {
    const session = await open({ session: "planted" });
    await session.execute('export INNOCENT="$PASSED_KEY"; f() { echo plain; }; alias a=ls');
    await session.execute(`export ALSO='${planted.given}'; g() { echo ${planted.config}; }`);
    await session.execute(`yes 'a ${planted.given} b ${planted.named}' | head -n 100000`);
    await session.execute("cat >/dev/null", { stdin: planted.input });
    await session.execute(`: postgres://bob:${planted.input}@db/x; : DB_PASSWORD=${planted.input}`);
    await session.files.write("notes.txt", `with ${planted.given}`);
    const job = await session.jobs.start('test -n "$PASSED_KEY" && echo "$INNOCENT" >/dev/null');
    expect((await job.wait()).state).toBe("exited");
    const temporary = join(home, "tmp");
    // What a job writes is the sandbox's own, and so is what this session was told to write; what is there besides is not.
    new Search("strip", "named", "unknown", "passed", "config").under(temporary);
    for (const name of readdirSync("/dev/shm").filter((found) => found.startsWith("talaria"))) {
      const path = join("/dev/shm", name);
      if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
        new Search("strip", "named", "unknown").under(path);
    }
    await session.close();
    new Search().under(join(home, "sessions"));
    new Search().under(join(home, "audit"));
    new Search().under(join(home, "tmp", `talaria-${process.getuid?.() ?? 0}`, "output"));
    const again = await open({ session: "planted" });
    expect((await again.execute('echo "${INNOCENT-none} ${ALSO-none}"; f')).output).toBe(
      "none none\nplain\n",
    );
    await again.close();
    // The journal of a job and its command are the sandbox's own; everything else of the home is looked through too.
    for (const name of readdirSync(home)) {
      if (name !== "tmp" && name !== "config.yaml" && statSync(join(home, name)).isDirectory()) {
        new Search().under(join(home, name));
      }
    }
    expect(Search.finds).toEqual([]);
  }, 90_000);

  test("were looked for in many places, and found in none", () => {
    console.info(`planted secrets: ${Search.places} places looked at, ${Search.finds.length} finds`);
    expect(Search.places).toBeGreaterThan(60);
    expect(Search.finds).toEqual([]);
  });
});
