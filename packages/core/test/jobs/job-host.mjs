// @ts-check
// A host process of its own: opens a session by name on this machine, starts a job or takes one up again, and says on
// standard output what it sees. It is killed by the test that started it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { BaseEnvironment, openSession } from "../../dist/index.js";

class HostEnvironment extends BaseEnvironment {
  constructor() {
    super({ backend: "host", id: "this-host" });
  }

  /** @type {import("../../dist/index.js").BaseEnvironment["spawn"]} */
  async spawn(argv, options = {}) {
    const [program = "", ...args] = argv;
    const child = spawn(program, args, {
      stdio: "pipe",
      detached: true,
      env: { PATH: process.env["PATH"], HOME: "/tmp", ...options.env },
      cwd: options.cwd,
    });
    await once(child, "spawn");
    const { pid, stdin, stdout, stderr } = child;
    /** @type {Promise<import("../../dist/index.js").ProcessExit>} */
    const exit = new Promise((resolve) => {
      child.on("exit", (code) => resolve({ kind: "exited", code: code ?? 0 }));
    });
    return { pid, stdin, stdout, stderr, exit, kill: async () => void child.kill() };
  }

  async dispose() {
    return { left: [] };
  }
}

const [talariaHome = "", name = "", what = "", ...rest] = process.argv.slice(2);
const environment = new HostEnvironment();
const session = await openSession({
  backend: environment,
  session: name,
  talariaHome,
  approvals: { mode: "off" },
});
/** @param {unknown} value */
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
if (what === "start") {
  const job = await session.jobs.start(rest[0] ?? "");
  say({ id: job.id });
  for await (const { offset, bytes } of job.follow())
    say({ offset, text: Buffer.from(bytes).toString("latin1") });
} else {
  const job = await session.jobs.get(rest[0] ?? "");
  for await (const { offset, bytes } of job.follow({ offset: Number(rest[1]) })) {
    say({ offset, text: Buffer.from(bytes).toString("latin1") });
  }
  say({ info: await job.info() });
  await session.close();
  await environment.cleanup();
}
