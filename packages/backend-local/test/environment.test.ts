import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { finish, lineOf, openEnvironment, runBash } from "./local-bed.js";

/** The variables a process was started with, as the kernel keeps them. */
function startedWith(pid: number | undefined): Map<string, string> {
  const entries = readFileSync(`/proc/${pid}/environ`, "utf8")
    .split("\0")
    .filter((entry) => entry !== "");
  return new Map(
    entries.map((entry) => [entry.slice(0, entry.indexOf("=")), entry.slice(entry.indexOf("=") + 1)]),
  );
}

describe("the environment of a command", () => {
  test("holds no credential of a backend, wherever it comes from", async () => {
    const environment = openEnvironment({
      stripEnvKeys: ["VENDOR_TOKEN"],
      base: { VENDOR_TOKEN: "from the host" },
      login: { VENDOR_TOKEN: "from the login shell" },
      passed: { VENDOR_TOKEN: "passed on" },
    });
    const process_ = await environment.spawn(["sleep", "60"], {
      env: { VENDOR_TOKEN: "asked for", MINE: "1" },
    });
    const variables = startedWith(process_.pid);
    const result = await environment.execute("tr '\\0' '\\n' </proc/$$/environ; env");
    await process_.kill("SIGKILL");
    expect(variables.get("MINE")).toBe("1");
    expect(variables.has("VENDOR_TOKEN")).toBe(false);
    expect(result.output).toContain("PAGER=cat");
    expect(result.output).not.toContain("VENDOR_TOKEN");
  });

  test("makes no program wait for a reader, a password or a terminal", async () => {
    const { stdout } = await runBash(
      openEnvironment(),
      'echo "$PAGER $GIT_PAGER $GIT_TERMINAL_PROMPT $TERM"',
    );
    expect(stdout).toBe("cat cat 0 dumb\n");
  });

  test("has what the user passes on, over the defaults and the login shell", async () => {
    const environment = openEnvironment({
      login: { EDITOR: "nano" },
      passed: { PAGER: "less", EDITOR: "vi" },
    });
    expect((await runBash(environment, 'echo "$PAGER $EDITOR"')).stdout).toBe("less vi\n");
  });

  test("is that of the terminal when there is one", async () => {
    const environment = openEnvironment({ base: { TERM: "linux" } });
    const tty = { columns: 80, rows: 24 };
    const process_ = await environment.spawn(["bash", "-c", "echo $TERM"], { tty });
    expect((await finish(process_)).stdout).toBe("xterm-256color\r\n");
  });

  test("can lack a name for one process", async () => {
    const environment = openEnvironment({ passed: { GONE: "1", KEPT: "2" } });
    const { stdout } = await runBash(environment, 'echo "${GONE-unset} $KEPT"', { env: { GONE: undefined } });
    expect(stdout).toBe("unset 2\n");
  });
});

describe("resources", () => {
  test("are all given back after 300 processes", async () => {
    const environment = openEnvironment();
    const descriptors = (): number => readdirSync("/proc/self/fd").length;
    const children = (): string => readFileSync(`/proc/self/task/${process.pid}/children`, "utf8");
    // The first ones make pipes for those after them.
    const round = async (): Promise<void> => {
      await Promise.all([runBash(environment, "echo x"), runBash(environment, "echo y >&2; exit 1")]);
    };
    for (let index = 0; index < 12; index += 1) await round();
    const [descriptorsBefore, childrenBefore] = [descriptors(), children()];
    for (let index = 0; index < 144; index += 1) await round();
    // A batch of spare pipes may be fuller now than then.
    expect(descriptors()).toBeLessThanOrEqual(descriptorsBefore + 24);
    expect(children()).toBe(childrenBefore);
    await environment.cleanup();
    expect(descriptors()).toBeLessThanOrEqual(descriptorsBefore);
  });

  test("are given back by terminals too", async () => {
    const environment = openEnvironment();
    const descriptors = (): number => readdirSync("/proc/self/fd").length;
    const open = async (): Promise<void> => {
      const process_ = await environment.spawn(["echo", "x"], { tty: { columns: 80, rows: 24 } });
      expect((await finish(process_)).stdout).toBe("x\r\n");
    };
    // Its spare pipes are made ahead of use.
    await runBash(environment, "true");
    await open();
    const before = descriptors();
    for (let index = 0; index < 30; index += 1) await open();
    expect(descriptors()).toBe(before);
  });

  test("that cannot be had do not leave others behind", async () => {
    const environment = openEnvironment();
    const descriptors = (): number => readdirSync("/proc/self/fd").length;
    await environment.spawn(["no-such-program-here"]).catch(() => {});
    const before = descriptors();
    for (let index = 0; index < 7; index += 1)
      await environment.spawn(["no-such-program-here"]).catch(() => {});
    expect(descriptors()).toBeLessThanOrEqual(before);
  });
});

describe("closing", () => {
  test("leaves what finished commands had started running, and lists it", async () => {
    const environment = openEnvironment();
    const result = await environment.execute("sleep 61 & echo $!");
    const pid = Number(result.output);
    const { left } = await environment.cleanup();
    expect(left).toEqual([{ pid, command: "sleep 61" }]);
    expect(() => process.kill(pid, 0)).not.toThrow();
    process.kill(pid, "SIGKILL");
  });

  test("leaves processes that others hold running, and lists them", async () => {
    const environment = openEnvironment();
    const process_ = await environment.spawn(["bash", "-c", "read -r line; echo $line"]);
    const { left } = await environment.cleanup();
    expect(left).toEqual([{ pid: process_.pid, command: "bash -c read -r line; echo $line" }]);
    const answer = lineOf(process_, /still here/);
    process_.stdin.write("still here\n");
    await expect(answer).resolves.toBeDefined();
  });

  test("twice is one closing, and nothing starts after it", async () => {
    const environment = openEnvironment();
    await environment.execute("true");
    expect(await environment.cleanup()).toEqual(await environment.cleanup());
    await expect(environment.spawn(["true"])).rejects.toMatchObject({ code: "closed" });
  });
});
