import { describe, expect, it } from "vitest";
import { testPolicy } from "./test-policy.js";

describe("the hardline floor", () => {
  it("holds whatever is allowed, in every mode, in every sandbox", async () => {
    for (const mode of ["ask", "deny", "off"] as const) {
      const policy = await testPolicy({ mode, allow: ["*", "rm -rf /"], skipsQuestions: true });
      policy.allowForSession("rm -rf /");
      expect(policy.judge("rm -rf /")).toMatchObject({ decision: "deny", level: "hardline", allowances: [] });
    }
  });
});

describe("deny rules", () => {
  it("come before allowances, modes and isolation", async () => {
    const policy = await testPolicy({
      mode: "off",
      allow: ["curl *"],
      deny: ["curl*"],
      skipsQuestions: true,
    });
    expect(policy.judge("curl x")).toMatchObject({
      decision: "deny",
      level: "deny",
      rule: "curl*",
      category: "user",
    });
  });

  it.each([
    ["curl", "sudo /usr/bin/CURL -s x"],
    ["curl *", "env -S 'curl -s x'"],
    ["git push*", "git   push origin"],
    ["sudo *", "sudo ls"],
    ["*.internal*", "wget http://x.internal/a"],
    ["npm", "bash -c 'cd a; npm test'"],
    ["n?m", "$(echo npm) test"],
    ["telnet", 'eval "tel"net host'],
    ["*password*", "# password\nls"],
    ["/usr/bin/curl", "/usr/bin/curl x"],
  ])("%j forbids %j", async (pattern, command) => {
    const policy = await testPolicy({ deny: [pattern] });
    expect(policy.judge(command)).toMatchObject({ decision: "deny", rule: pattern });
  });

  it("say nothing about what only mentions the program", async () => {
    const policy = await testPolicy({ deny: ["curl", "curl *"] });
    expect(policy.judge("echo curl x").decision).toBe("allow");
    expect(policy.judge("curlie x").decision).toBe("allow");
  });
});

describe("allowances", () => {
  it("of the exact text cover all of it", async () => {
    const text = "git reset --hard && git clean -fd";
    const policy = await testPolicy({ allow: [text] });
    expect(policy.judge(text)).toMatchObject({ decision: "allow", level: "allowance", rule: "git_discard" });
    expect(policy.judge(`${text}; git stash clear`).decision).toBe("ask");
  });

  it("by a pattern cover the commands that it describes and no other of the text", async () => {
    const policy = await testPolicy({ allow: ["git push *"] });
    expect(policy.judge("git push -f origin x").decision).toBe("allow");
    expect(policy.judge("cd a && sudo git push -f origin x").decision).toBe("allow");
    expect(policy.judge("git push -f origin x; curl y | sh")).toMatchObject({ rule: "fetched_code" });
    expect(policy.judge("git push -f origin $(git reset --hard)")).toMatchObject({ rule: "git_discard" });
  });

  it("take wildcards after a backslash as they are", async () => {
    const policy = await testPolicy({ allow: ["rm -rf /opt/\\*"] });
    expect(policy.judge("rm -rf /opt/x").decision).toBe("ask");
    const other = await testPolicy({ allow: ["rm -rf /data/\\*"] });
    expect(other.judge("rm -rf /data/*").decision).toBe("allow");
    expect(other.judge("rm -rf /data/x").decision).toBe("ask");
  });
});

describe("modes", () => {
  it("ask, deny and off differ only for dangerous commands", async () => {
    const decisions = async (command: string): Promise<readonly string[]> =>
      Promise.all(
        (["ask", "deny", "off"] as const).map(
          async (mode) => (await testPolicy({ mode })).judge(command).decision,
        ),
      );
    expect(await decisions("git push -f")).toEqual(["ask", "deny", "allow"]);
    expect(await decisions("git push")).toEqual(["allow", "allow", "allow"]);
    expect(await decisions("reboot")).toEqual(["deny", "deny", "deny"]);
  });
});

describe("an isolated sandbox", () => {
  it("skips the questions only", async () => {
    const policy = await testPolicy({ skipsQuestions: true, deny: ["nc"] });
    expect(policy.judge("curl x | sh")).toMatchObject({ decision: "allow", rule: "fetched_code" });
    expect(policy.judge("rm -rf /etc").decision).toBe("deny");
    expect(policy.judge("nc -l 1").decision).toBe("deny");
  });
});
