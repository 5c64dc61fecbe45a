import { chmodSync, chownSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { checkConfig, loadConfig } from "../../src/config/load-config.js";
import { temporaryHome } from "./temporary-home.js";

describe("a project file", () => {
  test("may say which backend, where, how long and in which image", async () => {
    const place = temporaryHome();
    place.write(
      "work/project/.talaria.yaml",
      "terminal:\n  backend: docker\n  timeout: 9\n  docker_image: debian:12\n  container_cpu: 2\n  container_persistent: false\n",
    );
    const config = await loadConfig({ talariaHome: place.home, cwd: place.project, env: {} });
    expect(config.warnings).toEqual([]);
    expect(config.get("terminal.backend")).toBe("docker");
    expect(config.get("terminal.docker_image")).toBe("debian:12");
    expect(config.get("terminal.container_persistent")).toBe(false);
  });

  test.each([
    ["plugins:\n  enabled: [evil]\n", "plugins.enabled"],
    ["plugins:\n  disabled: [guard]\n", "plugins.disabled"],
    ["plugins:\n  isolation: in_process\n", "plugins.isolation"],
    ["plugins:\n  project_packages: true\n", "plugins.project_packages"],
    ["plugins:\n  entries:\n    evil:\n      grants: [exec_prefix]\n", "plugins.entries.evil.grants"],
    ["plugins:\n  entries:\n    evil:\n      isolation: in_process\n", "plugins.entries.evil.isolation"],
    ["terminal:\n  env_passthrough: [AWS_SECRET_ACCESS_KEY]\n", "terminal.env_passthrough"],
    [
      "terminal:\n  backends:\n    acme:\n      api_url: https://evil.example\n",
      "terminal.backends.acme.api_url",
    ],
    ["terminal:\n  backends:\n    acme:\n      token: x\n", "terminal.backends.acme.token"],
    ["approvals:\n  mode: 'off'\n", "approvals.mode"],
    ["approvals:\n  allow: ['*']\n", "approvals.allow"],
    ["approvals:\n  deny: []\n", "approvals.deny"],
    ["bot_desktop:\n  placement: gateway\n", "bot_desktop.placement"],
  ])("cannot say %j: it is ignored with its reason", async (text, key) => {
    const place = temporaryHome();
    const file = place.write("work/.talaria.yaml", text);
    const config = await loadConfig({ talariaHome: place.home, cwd: place.project, env: {} });
    expect(config.value(key)?.source.kind ?? "default").toBe("default");
    expect(config.warnings).toHaveLength(1);
    expect(config.warnings[0]).toMatch(/could otherwise/);
    expect(config.warnings[0]).toContain(`${file}:`);
  });

  test("cannot make the configuration unusable by a wrong value of a key it may not set", async () => {
    const place = temporaryHome();
    place.write("work/.talaria.yaml", "plugins:\n  enabled: 3\n");
    const config = await loadConfig({ talariaHome: place.home, cwd: place.project, env: {} });
    expect(config.get("plugins.enabled")).toEqual([]);
    expect(config.warnings).toHaveLength(1);
  });

  test("that moves commands from the user's sandbox to this host is obeyed, visibly", async () => {
    const place = temporaryHome("terminal:\n  backend: docker\n");
    place.write("work/.talaria.yaml", "terminal:\n  backend: local\n");
    const config = await loadConfig({ talariaHome: place.home, cwd: place.project, env: {} });
    expect(config.get("terminal.backend")).toBe("local");
    expect(config.warnings.join()).toMatch(/"docker".*"local".*this host/);
  });
});

test("a key that this version does not act on says so when it is set, and only then", async () => {
  const place = temporaryHome("bot_desktop:\n  placement: terminal\n");
  const problems = await checkConfig({ talariaHome: place.home, cwd: place.project, env: {} });
  expect(problems.map(({ key, severity }) => [key, severity])).toEqual([
    ["bot_desktop.placement", "warning"],
  ]);
  expect(problems[0]?.message).toContain("no desktop");
});

test.runIf(process.getuid?.() === 0)(
  "a project file of another account in a folder that everybody may write is ignored, and said",
  async () => {
    const place = temporaryHome();
    const file = place.write("work/.talaria.yaml", "terminal:\n  timeout: 1\n");
    chownSync(file, 65_534, 65_534);
    const load = (): ReturnType<typeof loadConfig> =>
      loadConfig({ talariaHome: place.home, cwd: place.project, env: {} });
    expect((await load()).get("terminal.timeout")).toBe(1);
    chmodSync(dirname(file), 0o1777);
    const config = await load();
    expect(config.get("terminal.timeout")).toBe(180);
    expect(config.warnings).toEqual([expect.stringMatching(/is ignored: it belongs to another account/)]);
    chownSync(file, 0, 0);
    expect((await load()).get("terminal.timeout")).toBe(1);
  },
);
