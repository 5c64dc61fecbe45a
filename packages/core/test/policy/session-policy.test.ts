import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  loadCommandPolicy,
  loadConfig,
  sessionPolicyOptions,
  type SessionPolicyFacts,
} from "../../src/index.js";

let talariaHome: string;
beforeEach(async () => {
  talariaHome = await mkdtemp(join(tmpdir(), "talaria-policy-"));
});
afterEach(() => rm(talariaHome, { recursive: true, force: true }));

async function facts(yaml: string, more: Partial<SessionPolicyFacts> = {}): Promise<SessionPolicyFacts> {
  await writeFile(join(talariaHome, "config.yaml"), yaml);
  const config = await loadConfig({ talariaHome, cwd: talariaHome, env: {} });
  const base = { backend: "b", session: "s", skipContainerGuards: false, hasHostPaths: false };
  return { ...base, config, talariaHome, ...more };
}

describe("the policy of a session", () => {
  it("has the deny rules and allowances of the configuration and of its options", async () => {
    const yaml = 'approvals:\n  deny: ["curl"]\n  allow: ["git clean *"]\n  timeout_seconds: 7\n';
    const options = sessionPolicyOptions({ deny: ["wget"], allow: ["git stash drop"] }, await facts(yaml));
    expect(options).toMatchObject({ mode: "ask", timeoutMs: 7000 });
    const policy = await loadCommandPolicy(options);
    for (const command of ["curl x", "wget x"]) expect(policy.judge(command).level).toBe("deny");
    for (const command of ["git clean -fd", "git stash drop"]) {
      expect(policy.judge(command).level).toBe("allowance");
    }
  });

  it("takes mode and timeout of its options before the configuration's", async () => {
    const told = await facts("approvals: { mode: deny, timeout_seconds: 7 }\n");
    expect(sessionPolicyOptions({}, told).mode).toBe("deny");
    expect(sessionPolicyOptions({ mode: "off", timeoutMs: 5 }, told)).toMatchObject({
      mode: "off",
      timeoutMs: 5,
    });
  });

  it("asks as it does by default where there is no configuration", async () => {
    const options = sessionPolicyOptions({}, { ...(await facts("")), config: undefined });
    const policy = await loadCommandPolicy(options);
    expect(policy.judge("git reset --hard").decision).toBe("ask");
  });

  it.each([
    [true, false, "allow"],
    [true, true, "ask"],
    [false, false, "ask"],
    [false, true, "ask"],
  ] as const)(
    "with skipContainerGuards %s and host paths %s decides about a dangerous command: %s",
    async (skipContainerGuards, hasHostPaths, decision) => {
      const options = sessionPolicyOptions({}, await facts("", { skipContainerGuards, hasHostPaths }));
      const policy = await loadCommandPolicy(options);
      expect(policy.judge("curl x | sh").decision).toBe(decision);
      expect(policy.judge("rm -rf /").decision).toBe("deny");
    },
  );

  it("keeps what was approved for good beside what stands there, comments too, also when two sessions do", async () => {
    const told = await facts("# mine\napprovals:\n  allow:\n    - git push -f # ours\n");
    const commands = ["git reset --hard", "rm -rf /data/*", "git stash clear", "echo 'a: b' > ~/.bashrc"];
    await Promise.all(
      commands.map(async (command) => {
        const policy = await loadCommandPolicy(sessionPolicyOptions({ approve: () => "always" }, told));
        await policy.admit(command);
      }),
    );
    expect(await readFile(join(talariaHome, "config.yaml"), "utf8")).toMatch(
      /^# mine\n[^]*git push -f # ours/u,
    );
    const later = await loadConfig({ talariaHome, cwd: talariaHome, env: {} });
    const policy = await loadCommandPolicy(sessionPolicyOptions({}, { ...told, config: later }));
    for (const command of [...commands, "git push -f"]) expect(policy.judge(command).level).toBe("allowance");
    expect(policy.judge("rm -rf /data/x").decision).toBe("ask");
  });
});

describe("the configuration", () => {
  it("refuses another mode, and a time that is none", async () => {
    for (const yaml of ["approvals: { mode: manual }", "approvals: { timeout_seconds: 0 }"]) {
      await expect(facts(yaml)).rejects.toMatchObject({ code: "config" });
    }
  });
});
