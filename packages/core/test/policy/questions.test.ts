import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { ApprovalAnswer, ApprovalRequest, Approve } from "../../src/index.js";
import { testPolicy } from "./test-policy.js";

const dangerous = "git reset --hard";

/** Answers when the test says so. */
function heldApprove(): {
  readonly approve: Approve;
  readonly asked: ApprovalRequest[];
  readonly answer: (answer: unknown) => void;
} {
  const asked: ApprovalRequest[] = [];
  const waiting: ((answer: ApprovalAnswer) => void)[] = [];
  return {
    asked,
    approve: (request) => {
      asked.push(request);
      return new Promise((resolve) => void waiting.push(resolve));
    },
    answer: (answer) => waiting.shift()?.(answer as ApprovalAnswer),
  };
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await delay(1);
}

describe("a dangerous command", () => {
  it("is refused where there is nobody to ask, and says what to do", async () => {
    const policy = await testPolicy();
    await expect(policy.admit(dangerous)).rejects.toMatchObject({
      code: "denied",
      rule: "git_discard",
      backend: "local",
      message: expect.stringContaining("There is nobody to ask") as string,
      hint: expect.stringContaining("approvals.allow") as string,
    });
  });

  it("is asked about with the rule and what it matched", async () => {
    const { approve, asked, answer } = heldApprove();
    const policy = await testPolicy({ approve });
    const admitted = policy.admit(`sudo sh -c '${dangerous}'`);
    await until(() => asked.length === 1);
    expect(asked[0]).toMatchObject({
      command: `sudo sh -c '${dangerous}'`,
      matched: dangerous,
      rule: "git_discard",
      category: "git",
      backend: "local",
      session: "test",
      timeoutMs: 300_000,
    });
    answer("once");
    expect(await admitted).toMatchObject({
      answer: "once",
      notes: [expect.stringContaining("once") as string],
    });
  });

  it("approved once is asked about again", async () => {
    let count = 0;
    const policy = await testPolicy({ approve: () => (count++, "once") });
    await policy.admit(dangerous);
    await policy.admit(dangerous);
    expect(count).toBe(2);
  });

  it("approved for the session is not asked about again, and no other text is", async () => {
    let count = 0;
    const policy = await testPolicy({ approve: () => (count++, "session") });
    await policy.admit(dangerous);
    expect(await policy.admit(dangerous)).toMatchObject({ answer: null, verdict: { level: "allowance" } });
    await policy.admit(`${dangerous} HEAD~1`);
    expect(count).toBe(2);
  });

  it("approved for good is kept, with its wildcards taken as they are", async () => {
    const kept: string[] = [];
    const policy = await testPolicy({
      approve: () => "always",
      keep: async (entry) => void kept.push(entry),
    });
    await policy.admit("rm -rf /data/*");
    await policy.admit("rm -rf /data/*");
    expect(kept).toEqual(["rm -rf /data/\\*"]);
    expect(policy.judge("rm -rf /data/x").decision).toBe("ask");
  });

  it("approved for good runs, with a note, when that cannot be kept", async () => {
    const policy = await testPolicy({
      approve: () => "always",
      keep: () => Promise.reject(new Error("no room")),
    });
    expect((await policy.admit(dangerous)).notes.join(" ")).toContain("no room");
    expect(policy.judge(dangerous).decision).toBe("allow");
  });

  it.each([["deny"], ["yes"], [undefined], [true], [null]])(
    "is refused when the answer is %j",
    async (answer) => {
      const policy = await testPolicy({ approve: () => answer as ApprovalAnswer });
      await expect(policy.admit(dangerous)).rejects.toMatchObject({
        message: expect.stringContaining("not approved") as string,
      });
    },
  );

  it("is refused when asking fails", async () => {
    const policy = await testPolicy({
      approve: () => {
        throw new Error("no terminal");
      },
    });
    await expect(policy.admit(dangerous)).rejects.toMatchObject({ code: "denied" });
  });

  it("is refused when nobody answers in time, and whoever is asked is told", async () => {
    const { approve, asked } = heldApprove();
    const policy = await testPolicy({ approve, timeoutMs: 20 });
    await expect(policy.admit(dangerous)).rejects.toMatchObject({
      message: expect.stringContaining("Nobody answered the question within 0.02 s") as string,
    });
    expect(asked[0]?.signal.aborted).toBe(true);
  });

  it.each([[0], [-1], [Number.NaN], [Number.POSITIVE_INFINITY]])("cannot wait %d ms", async (timeoutMs) => {
    await expect(testPolicy({ timeoutMs })).rejects.toMatchObject({ code: "invalid_argument" });
  });
});

describe("questions", () => {
  it("are put one at a time", async () => {
    const { approve, asked, answer } = heldApprove();
    const policy = await testPolicy({ approve });
    const first = policy.admit("git stash clear");
    const second = policy.admit("git stash drop");
    await until(() => asked.length === 1);
    await delay(0);
    expect(asked).toHaveLength(1);
    answer("once");
    await first;
    await until(() => asked.length === 2);
    answer("deny");
    await expect(second).rejects.toMatchObject({ code: "denied" });
  });

  it("that are the same are put once for calls in parallel", async () => {
    const { approve, asked, answer } = heldApprove();
    const policy = await testPolicy({ approve });
    const calls = [policy.admit(dangerous), policy.admit(dangerous), policy.admit(dangerous)];
    await until(() => asked.length === 1);
    answer("once");
    expect((await Promise.all(calls)).map(({ answer: given }) => given)).toEqual(["once", "once", "once"]);
    expect(asked).toHaveLength(1);
  });

  it("go on for the others when one caller gives up, and end when all have", async () => {
    const { approve, asked, answer } = heldApprove();
    const policy = await testPolicy({ approve });
    const gone = new AbortController();
    const impatient = policy.admit(dangerous, { signal: gone.signal });
    const patient = policy.admit(dangerous);
    await until(() => asked.length === 1);
    gone.abort(new Error("gave up"));
    await expect(impatient).rejects.toThrow("gave up");
    expect(asked[0]?.signal.aborted).toBe(false);
    answer("once");
    await patient;

    const alone = new AbortController();
    const last = policy.admit(dangerous, { signal: alone.signal });
    await until(() => asked.length === 2);
    alone.abort(new Error("gave up"));
    await expect(last).rejects.toThrow("gave up");
    await until(() => asked[1]?.signal.aborted === true);
  });

  it("are not put for harmless commands or those that never run", async () => {
    const { approve, asked } = heldApprove();
    const policy = await testPolicy({ approve, deny: ["curl"] });
    await policy.admit("ls");
    await expect(policy.admit("rm -rf /")).rejects.toMatchObject({ rule: "delete_system" });
    await expect(policy.admit("curl x")).rejects.toMatchObject({ rule: "curl" });
    expect(asked).toEqual([]);
  });
});
