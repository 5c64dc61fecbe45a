import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { TerminalEnvironment } from "../../src/environment/environment.js";
import { WrappedEnvironment } from "../../src/environment/minimal-environment.js";
import type { SandboxAccess } from "../../src/environment/sandbox-access.js";
import type { ToolEvent } from "../../src/environment/tool-event.js";
import { asSandboxPath } from "../../src/workdir/paths.js";
import { HostEnvironment } from "../shell/host-environment.js";

/** What tools of a session see, over an environment of the test's own. Keeps what went through it. */
export interface WatchedAccess extends SandboxAccess {
  readonly scripts: string[];
  readonly events: ToolEvent[];
}

export function accessTo(environment: TerminalEnvironment): WatchedAccess {
  const scripts: string[] = [];
  const events: ToolEvent[] = [];
  return {
    scripts,
    events,
    backend: environment.backend,
    environment,
    sessionName: "test",
    async run(script, { workdir, shell: _shell, separate = true, ...rest } = {}) {
      scripts.push(script);
      const start = workdir === undefined ? null : asSandboxPath(workdir);
      return environment.execute(script, {
        ...rest,
        separate,
        spill: false,
        start: { path: start, ifMissing: "fail" },
        shellId: "question",
      });
    },
    async spawn() {
      throw new Error("the sync starts nothing but scripts");
    },
    async home() {
      if (environment.home === undefined) throw new Error("this sandbox has no home");
      return environment.home();
    },
    toSandboxPath: (path) => path,
    admit: async () => [],
    report: (event) => void events.push(event),
    redact: (text) => text,
    outputFilter: () => undefined,
  };
}

/** A folder for the host's TALARIA_HOME and one for the home inside, both gone after the test. */
export async function twoHomes(): Promise<{ readonly host: string; readonly inside: string }> {
  const folder = await mkdtemp(join(tmpdir(), "talaria-cache-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const homes = { host: join(folder, "host home"), inside: join(folder, "inside's home") };
  await Promise.all(Object.values(homes).map((home) => mkdir(home)));
  return homes;
}

/** A sandbox that is this host with a home of its own. */
export function hostSandbox(home: string, env: Readonly<Record<string, string>> = {}): HostEnvironment {
  const environment = new HostEnvironment(
    { PATH: process.env["PATH"], HOME: home, LANG: "C.UTF-8", ...env },
    { timeoutMs: 20_000 },
  );
  onTestFinished(async () => void (await environment.cleanup()));
  return environment;
}

export const busybox = ["/bin/busybox", "/usr/bin/busybox"].find((path) => existsSync(path));

/** A sandbox that has no bash, and of all programs only these of busybox. */
export async function busyboxSandbox(home: string, applets: readonly string[]): Promise<HostEnvironment> {
  const programs = await mkdtemp(join(tmpdir(), "talaria-cache-busybox-"));
  onTestFinished(() => rm(programs, { recursive: true, force: true }));
  for (const applet of applets) await symlink(busybox ?? "", join(programs, applet));
  return hostSandbox(home, { PATH: programs, TMPDIR: home });
}

/** The smallest environment: no standard input, one text back. */
export function smallestSandbox(home: string): TerminalEnvironment {
  const inner = hostSandbox(home);
  return new WrappedEnvironment(
    {
      async execute(command, { timeoutMs, signal }) {
        const { output, exitCode } = await inner.execute(
          command,
          signal === undefined ? { timeoutMs } : { timeoutMs, signal },
        );
        return { output, exitCode };
      },
      cleanup: () => undefined,
    },
    { backend: "smallest" },
  );
}
