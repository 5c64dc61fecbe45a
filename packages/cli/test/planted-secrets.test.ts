import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli, startCli, temporaryFolder } from "./support/run-cli.js";

const plant = (what: string): string => `plant-${what}-${randomBytes(12).toString("hex")}`;

/** A home with secrets in its configuration, and an environment with secrets under known and unknown names. */
function plantedHome(): {
  home: string;
  env: Readonly<Record<string, string>>;
  secrets: Readonly<Record<string, string>>;
} {
  const home = temporaryFolder();
  const secrets = {
    MODAL_TOKEN_SECRET: plant("strip"),
    GITHUB_TOKEN: plant("named"),
    ACME_LAUNCH_WORDS: plant("unknown"),
    PASSED_KEY: plant("passed"),
    api_key: plant("config"),
  };
  const { api_key: key, ...variables } = secrets;
  writeFileSync(
    join(home, "config.yaml"),
    `terminal:\n  env_passthrough: [PASSED_KEY]\n  backends:\n    acme:\n      api_key: ${key}\n`,
    { mode: 0o600 },
  );
  return { home, env: { ...variables, TMPDIR: home }, secrets };
}

function readOf(path: string): string {
  try {
    return statSync(path).isFile() ? readFileSync(path, "latin1") : "";
  } catch {
    return "";
  }
}

/** Processes that a process has started, at any remove. */
function descendantsOf(ancestor: number | undefined): readonly number[] {
  const parents = new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((name) => {
        const stat = readOf(`/proc/${name}/stat`);
        return [Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])] as const;
      }),
  );
  const isOurs = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === ancestor || isOurs(parent));
  };
  return [...parents.keys()].filter(isOurs);
}

describe("secrets of the host", () => {
  it("are printed by no command, with whatever it says about itself, and kept in no file", async () => {
    const { home, env, secrets } = plantedHome();
    const run = (words: readonly string[], more: Readonly<Record<string, string>> = {}, input = "") =>
      runCli(home, words, { env: { ...env, ...more }, cwd: home, input });
    const long = 'for n in $(seq 20000); do echo "$n $PASSED_KEY"; done';
    const print = 'env; set; echo "$PASSED_KEY"; echo "$PASSED_KEY" >&2';
    const runs = await Promise.all([
      run(["exec", "-v", "--", print], { TALARIA_DEBUG: "1" }),
      run(["exec", "--json", "--separate", "--", `${print}; exit 3`]),
      run(["exec", "--json", "--", long]),
      run(["exec", "-v", "--timeout-ms", "500", "--", `${print}; sleep 60`], { TALARIA_DEBUG: "1" }),
      run(["exec", "--session", "planted", "--", 'export INNOCENT="$PASSED_KEY"']),
      run(["exec", "--workdir", `/nowhere/${secrets["GITHUB_TOKEN"]}`, "--", "true"], { TALARIA_DEBUG: "1" }),
      run(["exec", "--", "cat /nowhere/$PASSED_KEY"]),
      run(["exec", "--stdin", "--", "cat >/dev/null"], {}, secrets["api_key"]),
      run(["status", "-v"]),
      run(["status", "--json"]),
      run(["doctor", "--json"]),
      run(["config", "get"]),
      run(["config", "get", "--json"]),
      run(["config", "check"]),
      run(["files", "read", "--json", "/nowhere"]),
      run(["describe"]),
    ]);
    const started = await run(["jobs", "start", "--", 'echo "job says $PASSED_KEY"']);
    const id = started.stdout.trim().split(/\s/)[0] ?? "";
    runs.push(started, await run(["jobs", "wait", id]), await run(["jobs", "logs", id]));
    runs.push(await run(["jobs", "list", "--json"]), await run(["audit", "--json"]), await run(["audit"]));
    const finds: string[] = [];
    const look = (place: string, text: string): void => {
      for (const [name, secret] of Object.entries(secrets))
        if (text.includes(secret)) finds.push(`${name} in ${place}`);
    };
    for (const [index, { stdout, stderr }] of runs.entries()) {
      look(`what run ${index} printed`, stdout);
      look(`what run ${index} said`, stderr);
    }
    expect(runs[0]?.stdout).toContain("[redacted:PASSED_KEY]");
    expect(runs.at(-4)?.stdout, runs.at(-4)?.stderr).toContain("job says [redacted:PASSED_KEY]");
    const names = readdirSync(home, { recursive: true, encoding: "utf8" });
    // The configuration is the user's own, and a job's log is the sandbox's: what is read of it is masked.
    const kept = names.filter((name) => name !== "config.yaml" && !/(^|\/)jobs\//.test(name));
    for (const name of kept) look(name, name + readOf(join(home, name)));
    expect(kept.some((name) => name.startsWith("audit/"))).toBe(true);
    console.info(`planted secrets: ${runs.length * 2 + kept.length} places looked at, ${finds.length} finds`);
    expect(finds).toEqual([]);
  }, 120_000);

  it.runIf(process.platform === "linux")(
    "are in no argument and no environment of what the command starts",
    async () => {
      const { home, env, secrets } = plantedHome();
      const child = startCli(home, ["exec", "--", "echo ready; sleep 300 & sleep 300"], { env, cwd: home });
      try {
        await new Promise<void>((resolve) => child.stdout?.once("data", () => resolve()));
        const sleeping = (): number[] =>
          descendantsOf(child.pid).filter((pid) => readOf(`/proc/${pid}/cmdline`).includes("300"));
        await expect.poll(() => sleeping().length, { timeout: 20_000 }).toBe(2);
        const pids = descendantsOf(child.pid);
        expect(pids.length).toBeGreaterThan(2);
        const finds = pids.flatMap((pid) =>
          Object.entries(secrets).flatMap(([name, secret]) => {
            const isIn = (file: string): boolean => readOf(`/proc/${pid}/${file}`).includes(secret);
            const places = ["cmdline", ...(name === "PASSED_KEY" ? [] : ["environ"])];
            return places.filter(isIn).map((file) => `${name} in ${file} of ${pid}`);
          }),
        );
        expect(finds).toEqual([]);
      } finally {
        child.kill("SIGTERM");
        await new Promise((resolve) => child.once("close", resolve));
      }
    },
    60_000,
  );
});
