import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { addPlugin, enablePlugins } from "./support/plugin-folder.js";
import { runCli, temporaryFolder } from "./support/run-cli.js";

async function json(
  home: string,
  words: readonly string[],
  env: Record<string, string> = {},
): Promise<unknown> {
  const run = await runCli(home, [...words, "--json"], { env });
  return JSON.parse(run.stdout) as unknown;
}

describe("status", () => {
  it("shows the backend, whether it is ready, and where each value comes from", async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, "config.yaml"), "terminal:\n  timeout: 60\n");
    const run = await runCli(home, ["status"], { env: { TALARIA_TERMINAL_LIFETIME_SECONDS: "9" } });
    expect(run.status, run.stderr).toBe(0);
    expect(run.stdout).toMatch(/backend +local/);
    expect(run.stdout).toMatch(/ready: bash/);
    expect(run.stdout).toMatch(/terminal\.timeout +60 +.*config\.yaml:2/);
    expect(run.stdout).toMatch(/terminal\.lifetime_seconds +9 +TALARIA_TERMINAL_LIFETIME_SECONDS/);
  });

  it("ends with 1 and the way out when the chosen backend is not there", async () => {
    const run = await runCli(temporaryFolder(), ["status"], { env: { TALARIA_TERMINAL_BACKEND: "docker" } });
    expect(run.status).toBe(1);
    expect(run.stdout).toMatch(/@talaria\/backend-docker is not released yet[^]*talaria backends/);
  });

  it("lists the sessions that are kept", async () => {
    const home = temporaryFolder();
    await runCli(home, ["exec", "-s", "work", "--", "true"]);
    expect(await json(home, ["status"])).toMatchObject({
      schema: 1,
      sessions: ["work"],
      backend: { name: "local" },
    });
  });
});

describe("backends", () => {
  it("lists what is known, with the declared flags of what is installed", async () => {
    const home = temporaryFolder();
    addPlugin(home, "acme", "acmebox", "isRemote: false, capabilities: ['separateStreams', 'spawn'],");
    enablePlugins(home, ["acme"]);
    expect(await json(home, ["backends"])).toMatchObject({
      chosen: "local",
      backends: expect.arrayContaining([
        expect.objectContaining({ name: "docker", installation: "not_released" }),
        expect.objectContaining({ name: "local", status: "ready" }),
        expect.objectContaining({
          name: "acmebox",
          plugin: "acme",
          flags: expect.objectContaining({
            is_remote: false,
            is_container: true,
            capabilities: ["separate_streams", "spawn"],
          }) as unknown,
        }),
      ]) as unknown,
    });
  });
});

describe("doctor", () => {
  it("ends with 0 where nothing is broken, and names what is not installed in one line", async () => {
    const run = await runCli(temporaryFolder(), ["doctor"]);
    expect(run.status, run.stdout).toBe(0);
    expect(run.stdout).toMatch(/^not there: .*docker/m);
    expect(run.stdout).toMatch(/0 failed/);
  });

  it("has a reason code in every row of its document", async () => {
    const parsed = (await json(temporaryFolder(), ["doctor"])) as {
      checks: { reason: string; status: string }[];
    };
    expect(parsed).toMatchObject({ schema: 1, ok: true });
    for (const { reason } of parsed.checks) expect(reason).toMatch(/^[a-z_]+$/);
  });

  it("ends with 1 for a named backend that is not there", async () => {
    const run = await runCli(temporaryFolder(), ["doctor", "docker"]);
    expect(run.status).toBe(1);
    expect(run.stdout).toMatch(/failed[^]*@talaria\/backend-docker is not released yet/);
  });

  it("ends with 1 for a broken configuration and says which line", async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, "config.yaml"), "terminal:\n  timeout: soon\n");
    expect(await json(home, ["doctor"])).toMatchObject({
      ok: false,
      checks: [{ id: "config", status: "failed", reason: "config_invalid" }],
    });
  });

  it("counts a warning only with --strict", async () => {
    const home = temporaryFolder();
    addPlugin(home, "acme", "acmebox", "isAvailable: () => false,");
    enablePlugins(home, ["acme"]);
    expect((await runCli(home, ["doctor"])).status).toBe(0);
    const strict = await runCli(home, ["doctor", "--strict"]);
    expect(strict.status).toBe(1);
    expect(strict.stdout).toMatch(/acmebox\n +warning/);
  });

  it("is not kept waiting by a backend that gives no answer", async () => {
    const home = temporaryFolder();
    addPlugin(home, "acme", "acmebox", "probe: () => new Promise(() => setInterval(() => {}, 1000)),");
    enablePlugins(home, ["acme"]);
    expect(await json(home, ["doctor", "acmebox"])).toMatchObject({
      ok: false,
      checks: expect.arrayContaining([expect.objectContaining({ reason: "probe_timeout" })]) as unknown,
    });
  });

  it("says that an unknown backend is unknown", async () => {
    const run = await runCli(temporaryFolder(), ["doctor", "nowhere"]);
    expect(run.status).toBe(1);
    expect(run.stderr).toMatch(/"nowhere" cannot be used[^]*local/);
  });
});

describe("plugins", () => {
  it("are listed with state, kind, version and path; a broken one is a row with its reason", async () => {
    const home = temporaryFolder();
    addPlugin(home, "acme", "acmebox");
    mkdirSync(join(home, "plugins", "broken"));
    writeFileSync(join(home, "plugins", "broken", "plugin.yaml"), "kind: [\n");
    const run = await runCli(home, ["plugins", "list"]);
    expect(run.status, run.stderr).toBe(0);
    expect(run.stdout).toMatch(/^acme +not enabled +backend +0\.3\.0 +acmebox +.*plugins\/acme/m);
    expect(run.stdout).toMatch(/^broken +invalid/m);
    expect(run.stdout).toMatch(/plugin\.yaml/);
  });

  it("are enabled and disabled by their id, and the file says so", async () => {
    const home = temporaryFolder();
    addPlugin(home, "acme", "acmebox");
    const use = ["exec", "--backend", "acmebox", "--", "true"];
    expect((await runCli(home, use)).stderr).toMatch(/plugins enable acme/);
    expect((await runCli(home, ["plugins", "enable", "acme"])).status).toBe(0);
    expect((await runCli(home, ["config", "get", "plugins.enabled"])).stdout).toBe('["acme"]\n');
    expect((await runCli(home, use)).stderr).toMatch(/not for use/);
    expect((await runCli(home, ["plugins", "disable", "acme"])).status).toBe(0);
    expect((await runCli(home, use)).status).toBe(125);
    expect(await json(home, ["plugins", "list"])).toMatchObject({
      plugins: expect.arrayContaining([
        expect.objectContaining({ id: "acme", status: "disabled" }),
      ]) as unknown,
    });
  });

  it("cannot be enabled before they are installed", async () => {
    const run = await runCli(temporaryFolder(), ["plugins", "enable", "nothing"]);
    expect(run.status).toBe(1);
    expect(run.stderr).toMatch(/no plugin of that id is installed/);
  });
});

describe("sandboxes", () => {
  const members = `
    listSandboxes: async () => [
      { id: "s1", owner: "me@host", lease: "expired", state: "running" },
      { id: "s2", owner: "me@host", lease: "held", state: "running" },
    ],
    collectSandboxes: async ({ dryRun }) => ({
      removed: [{ id: "s1", owner: "me@host", lease: "expired", state: "running" }],
      kept: [{ id: "s2", owner: "me@host", lease: "held", state: "running" }],
      failed: [],
    }),`;

  it("are none on local, and it says why", async () => {
    const run = await runCli(temporaryFolder(), ["sandboxes", "list"]);
    expect(run).toMatchObject({ status: 0, stdout: "" });
    expect(run.stderr).toMatch(/local: leaves no sandboxes behind/);
  });

  it("are asked of every backend that can list them, with owner and lease", async () => {
    const home = temporaryFolder();
    addPlugin(home, "acme", "acmebox", members);
    enablePlugins(home, ["acme"]);
    const run = await runCli(home, ["sandboxes", "list"]);
    expect(run.stdout).toMatch(/^acmebox +s1 +running +expired +me@host/m);
    expect(await json(home, ["sandboxes", "list"])).toMatchObject({
      schema: 1,
      sandboxes: [
        { backend: "acmebox", id: "s1", lease: "expired" },
        { backend: "acmebox", id: "s2", lease: "held" },
      ],
    });
  });

  it("that nobody holds are freed by gc, and named", async () => {
    const home = temporaryFolder();
    addPlugin(home, "acme", "acmebox", members);
    enablePlugins(home, ["acme"]);
    expect((await runCli(home, ["sandboxes", "gc"])).stdout).toBe("acmebox s1: freed (owner me@host)\n");
    expect((await runCli(home, ["sandboxes", "gc", "--dry-run"])).stdout).toMatch(/s1: would be freed/);
  });

  it("end gc with 1 when a backend fails, and the others are still asked", async () => {
    const home = temporaryFolder();
    addPlugin(home, "acme", "acmebox", members);
    addPlugin(
      home,
      "bad",
      "badbox",
      'listSandboxes: async () => [], collectSandboxes: async () => { throw new Error("engine down"); },',
    );
    enablePlugins(home, ["acme", "bad"]);
    const run = await runCli(home, ["sandboxes", "gc"]);
    expect(run.status).toBe(1);
    expect(run.stdout).toMatch(/acmebox s1: freed/);
    expect(run.stderr).toMatch(/badbox could not be asked: engine down/);
  });
});
