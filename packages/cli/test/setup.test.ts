import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { addPlugin, enablePlugins } from "./support/plugin-folder.js";
import { showProgram } from "./support/pty.js";
import { bin, cliEnv, runCli, temporaryFolder } from "./support/run-cli.js";

describe("setup without a terminal", () => {
  it("takes everything from the command line and writes terminal.backend", async () => {
    const home = temporaryFolder();
    const run = await runCli(home, ["setup", "--backend", "local", "--yes"]);
    expect(run.status, run.stderr).toBe(0);
    expect(readFileSync(join(home, "config.yaml"), "utf8")).toMatch(/backend: local/);
  });

  it.each([[["setup"]], [["setup", "--backend", "local"]], [["setup", "--yes"]]])(
    "asks nothing and changes nothing for %j",
    async (words) => {
      const home = temporaryFolder();
      const run = await runCli(home, words);
      expect(run.status).toBe(2);
      expect(run.stderr).toMatch(/talaria setup --backend <backend> --yes/);
      expect(existsSync(join(home, "config.yaml"))).toBe(false);
    },
  );

  it("refuses a backend that is not there and says why", async () => {
    const run = await runCli(temporaryFolder(), ["setup", "--backend", "docker", "--yes"]);
    expect(run.status).toBe(1);
    expect(run.stderr).toContain("@talaria/backend-docker is not released yet");
  });

  it("shows the backend's own steps, runs its last one, and keeps the old choice when that fails", async () => {
    const home = temporaryFolder();
    addPlugin(
      home,
      "acme",
      "acmebox",
      'setupInstructions: () => ["get a token"], postSetup: async () => { throw new Error("no token"); },',
    );
    enablePlugins(home, ["acme"]);
    const run = await runCli(home, ["setup", "--backend", "acmebox", "--yes"]);
    expect(run.status).toBe(1);
    expect(run.stderr).toMatch(/get a token[^]*no token/);
    expect((await runCli(home, ["config", "get", "terminal.backend"])).stdout).toBe("local\n");
  });
});

describe("setup on a terminal", () => {
  it("lets a person pick, asks once more, and writes the choice", async () => {
    const home = temporaryFolder();
    const shown = showProgram(process.execPath, [bin, "setup"], cliEnv(home));
    await shown.shows("Where should commands run?");
    shown.pty.write("\r");
    await shown.shows(/from now on\?/);
    shown.pty.write("\r");
    expect((await shown.exit).exitCode, shown.screen()).toBe(0);
    expect(readFileSync(join(home, "config.yaml"), "utf8")).toMatch(/backend: local/);
  });

  it("changes nothing when the person gives up", async () => {
    const home = temporaryFolder();
    const shown = showProgram(process.execPath, [bin, "setup"], cliEnv(home));
    await shown.shows("Where should commands run?");
    shown.pty.write("\u0003");
    expect((await shown.exit).exitCode).toBe(130);
    expect(existsSync(join(home, "config.yaml"))).toBe(false);
  });
});
