import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/load-config.js";
import { ConfigError, InvalidArgumentError, UnknownBackendError } from "../../src/errors/errors.js";
import type { ConfigSchema } from "../../src/provider/config-schema.js";
import { pluginOrigin } from "../../src/registry/plugin-origin.js";
import { ProviderRegistry } from "../../src/registry/provider-registry.js";
import { openSession } from "../../src/session/open-session.js";
import type { OpenSessionOptions } from "../../src/session/session-options.js";
import type { TerminalSession } from "../../src/session/terminal-session.js";
import { FakeEnvironment } from "./fake-environment.js";
import { FakeProvider } from "./fake-provider.js";
import { temporaryFolder } from "./temporary-folder.js";

class ConfiguredProvider extends FakeProvider {
  override get configSchema(): ConfigSchema {
    return { region: { type: "string", description: "Where boxes stand." } };
  }

  override get stripEnvKeys(): readonly string[] {
    return ["BOXES_KEY"];
  }
}

let talariaHome: string;
let project: string;
let environment: FakeEnvironment;
let provider: ConfiguredProvider;
let registry: ProviderRegistry;

beforeEach(async () => {
  talariaHome = await temporaryFolder();
  project = join(talariaHome, "project");
  await mkdir(project);
  environment = new FakeEnvironment({ backend: "boxes" });
  provider = new ConfiguredProvider({ environment });
  registry = new ProviderRegistry();
  registry.register(provider, pluginOrigin({ id: "talaria-boxes" }));
});

async function open(
  yaml: string,
  options: OpenSessionOptions & { env?: never; variables?: Record<string, string> } = {},
): Promise<TerminalSession> {
  const { variables = {}, ...rest } = options;
  await writeFile(join(talariaHome, "config.yaml"), yaml);
  const config = await loadConfig({ talariaHome, cwd: project, env: variables });
  return openSession({ config, registry, ...rest });
}

describe("opening a session by configuration", () => {
  it("takes the backend, its fields and what it is held to from there", async () => {
    const session = await open(
      [
        "terminal:",
        "  backend: boxes",
        "  timeout: 90",
        "  container_memory: 512",
        "  backends:",
        "    boxes: { region: north }",
      ].join("\n"),
    );
    expect(session.backend).toBe("boxes");
    expect(provider.created).toEqual([
      expect.objectContaining({
        timeoutMs: 90_000,
        backendConfig: { region: "north" },
        containerConfig: { cpu: undefined, memoryMb: 512, diskMb: undefined, persistent: undefined },
        cwd: undefined,
        image: undefined,
        taskId: session.id,
        talariaHome,
      }),
    ]);
    await session.execute("true");
    expect(environment.executed.at(-1)?.options.timeoutMs).toBe(90_000);
  });

  it("names the key, the file and the line of a directory that is missing in the sandbox (2.1)", async () => {
    const session = await open("terminal:\n  backend: boxes\n  cwd: /missing\n");
    await expect(session.execute("true")).rejects.toThrow(
      `terminal.cwd "/missing" (from ${join(talariaHome, "config.yaml")}:3)`,
    );
  });

  it("lets the caller's cwd go before the configured one", async () => {
    const session = await open("terminal: { backend: boxes, cwd: /srv }\n", { cwd: "/tmp" });
    await session.execute("true");
    expect(environment.executed[0]?.cwd).toBe("/tmp");
  });

  it("takes a relative value of a variable as relative to where it is said, on the host's own files (2.1)", async () => {
    const hostlike = new FakeEnvironment({ backend: "hostlike" });
    const path = join(project, "src");
    hostlike.directories.add(path);
    const origin = pluginOrigin({ id: "talaria-hostlike" });
    registry.register(
      new FakeProvider({ environment: hostlike, isContainer: false, isRemote: false }),
      origin,
    );
    const variables = { TALARIA_TERMINAL_CWD: "src" };
    const session = await open("terminal: { backend: hostlike }\n", { variables });
    await session.execute("true");
    expect(hostlike.executed[0]?.cwd).toBe(path);
  });

  it("passes named variables on, and never a credential of a backend, which it says (9.3)", async () => {
    const session = await open(
      "terminal: { backend: boxes, env_passthrough: [EDITOR, BOXES_KEY, UNSET] }\n",
      {
        variables: { EDITOR: "vi", BOXES_KEY: "hunter2", OTHER: "x" },
      },
    );
    expect(provider.created[0]?.passEnv).toEqual({ EDITOR: "vi" });
    expect(provider.created[0]?.stripEnvKeys).toContain("BOXES_KEY");
    expect(provider.created[0]?.stripEnvKeys).toContain("MODAL_TOKEN_SECRET");
    const [note, ...others] = (await session.execute("true")).notes;
    expect(note).toMatch(/terminal.env_passthrough names BOXES_KEY.*commands do not get it/);
    expect(note).not.toContain("hunter2");
    expect(others).toEqual([]);
  });

  it("holds foreground commands to the configured limit and names its key (3.3)", async () => {
    const session = await open("terminal: { backend: boxes, timeout: 5, max_foreground_seconds: 10 }\n");
    const refused = session.execute("true", { timeoutMs: 10_001 });
    await expect(refused).rejects.toThrow(InvalidArgumentError);
    await expect(refused).rejects.toThrow("terminal.max_foreground_seconds: 10 s");
  });

  it("refuses a default timeout above that limit, with both keys", async () => {
    const opening = open("terminal: { backend: boxes, timeout: 700 }\n");
    await expect(opening).rejects.toThrow(ConfigError);
    await expect(opening).rejects.toThrow(
      /terminal\.timeout \(700 s.*terminal\.max_foreground_seconds \(600 s\)/,
    );
    expect(provider.created).toEqual([]);
  });

  it("refuses a field of the wrong type before anything is made", async () => {
    const opening = open("terminal:\n  backend: boxes\n  backends: { boxes: { region: 7 } }\n");
    await expect(opening).rejects.toThrow(/terminal\.backends\.boxes\.region/);
    expect(provider.created).toEqual([]);
  });

  it("refuses a name nobody has", async () => {
    await expect(open("", { backend: "nobody" })).rejects.toThrow(UnknownBackendError);
  });

  it("loads the configuration of a TALARIA_HOME by itself for a backend by name", async () => {
    await writeFile(join(talariaHome, "config.yaml"), "terminal: { timeout: 33 }\n");
    await openSession({ backend: "boxes", registry, talariaHome });
    expect(provider.created[0]?.timeoutMs).toBe(33_000);
  });

  it("does not read it for a provider that is handed in", async () => {
    await writeFile(join(talariaHome, "config.yaml"), "{ broken\n");
    const session = await openSession({ backend: provider, talariaHome });
    expect(provider.created[0]).toMatchObject({ timeoutMs: undefined, backendConfig: {} });
    expect((await session.execute("true")).exitCode).toBe(0);
  });

  it("takes a provider that leaves out what has a default", async () => {
    const least = { name: "least", isAvailable: () => true, createEnvironment: async () => environment };
    const session = await openSession({ backend: least as unknown as FakeProvider });
    expect((await session.execute("true")).cwd).toBe("/root");
  });

  it("calls the sandbox's task by the session's name, unless it is told another", async () => {
    await open("terminal: { backend: boxes }\n", { session: "work" });
    await open("terminal: { backend: boxes }\n", { session: "work", taskId: "task-7" });
    expect(provider.created.map(({ taskId }) => taskId)).toEqual(["work", "task-7"]);
  });
});
