import {
  TerminalEnvironmentProvider,
  type Capability,
  type ConfigSchema,
  type CreateEnvironmentOptions,
  type DoctorCheck,
  type ProbeResult,
  type TerminalEnvironment,
} from "@talaria/core";
import { bashCandidates, findBash } from "./bash/find-bash.js";
import {
  chooseBash,
  createLocalEnvironment,
  hostVariables,
  readLoginEnvironment,
  refuseWindows,
} from "./create-local-environment.js";
import { doctorChecks } from "./doctor/doctor-checks.js";
import { localCapabilities } from "./local-capabilities.js";
import { localConfigSchema, localSettings, type LocalOptions } from "./local-options.js";

/** Commands on this host, as the account Talaria runs as. No isolation: policy and prompts always apply. */
export class LocalProvider extends TerminalEnvironmentProvider {
  readonly name = "local";
  readonly #options: LocalOptions;

  constructor(options: LocalOptions = {}) {
    super();
    this.#options = options;
  }

  override get displayName(): string {
    return "This host";
  }

  override get description(): string {
    return "Commands run on this machine, without isolation.";
  }

  override get isRemote(): boolean {
    return false;
  }

  override get isContainer(): boolean {
    return false;
  }

  override get skipContainerGuards(): boolean {
    return false;
  }

  /** Host paths are right as they are. */
  override get cachePathBase(): string | null {
    return null;
  }

  override get supportsStreams(): boolean {
    return true;
  }

  /** Looked up when read: a terminal needs the prebuild of this platform, another account needs root and setpriv. */
  override get capabilities(): readonly Capability[] {
    return localCapabilities();
  }

  override get configSchema(): ConfigSchema {
    return localConfigSchema;
  }

  override get envDescription(): string {
    return "Commands run on this host, without isolation.";
  }

  isAvailable(): boolean {
    return (
      process.platform !== "win32" && bashCandidates(this.#options.shell, process.env["PATH"]).length > 0
    );
  }

  override async probe(): Promise<ProbeResult> {
    if (process.platform === "win32") {
      return { status: "unavailable", detail: "Windows: use WSL, ssh or docker", reason: "windows" };
    }
    const search = await findBash(this.#options.shell, process.env["PATH"]);
    switch (search.kind) {
      case "found":
        return { status: "ready", detail: `bash ${search.version.text}`, reason: "ok" };
      case "tooOld":
        return {
          status: "needs_setup",
          detail: `${search.path} is ${search.version.text}; 4.1 or newer is needed`,
          reason: "bash_too_old",
        };
      case "missing":
        return { status: "needs_setup", detail: "bash was not found", reason: "bash_missing" };
    }
  }

  override async checkRequirements(config: Readonly<Record<string, unknown>>): Promise<void> {
    refuseWindows();
    await chooseBash(localSettings(this.#options, config).shell);
  }

  override async doctorChecks(): Promise<readonly DoctorCheck[]> {
    const settings = localSettings(this.#options, {});
    return doctorChecks(settings.shell, readLoginEnvironment(settings, hostVariables(settings, {}), {}));
  }

  override setupInstructions(): readonly string[] {
    return [
      "Nothing to set up: commands run on this machine, as you, without isolation.",
      ...(process.platform === "darwin"
        ? ["macOS ships bash 3.2; a newer one is needed (brew install bash)."]
        : []),
      "Variables of your shell's start-up files are taken over; more by name: terminal.backends.local.pass_env.",
    ];
  }

  override async createEnvironment(options: CreateEnvironmentOptions): Promise<TerminalEnvironment> {
    return createLocalEnvironment(localSettings(this.#options, options.backendConfig), options);
  }
}
