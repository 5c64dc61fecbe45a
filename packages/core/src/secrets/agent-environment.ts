import { InvalidArgumentError } from "../errors/errors.js";
import { isEnvironmentName } from "../provider/environment-name.js";
import { isInheritedByAgents, proxyNames } from "../provider/inherited-names.js";

export interface AgentEnvironmentOptions {
  /** The variables of this process, or of the user's login shell. */
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
  /** Names the user passes on (`terminal.env_passthrough`). Names only, no patterns. */
  readonly pass?: readonly string[] | undefined;
  /** Credential variables of all installed backends (`allStripEnvKeys`). They win over `pass` and `extra`. */
  readonly strip: readonly string[];
  /** Variables set for the agent, over what it inherits. */
  readonly extra?: Readonly<Record<string, string>> | undefined;
}

/**
 * The environment of a process that runs an agent's command: a short allowlist of this host's variables (who and
 * where the user is, language, terminal, certificates, proxies without a password), the names the user passes on, and
 * `extra`; never a key of `strip`. Everything else of the host stays out, whatever it is called.
 * Throws InvalidArgumentError for a name that no shell accepts.
 */
export function agentEnvironment(options: AgentEnvironmentOptions): Record<string, string> {
  const { hostEnv, strip, pass = [], extra = {} } = options;
  const stripped = new Set(strip);
  const passed = new Set(pass);
  for (const name of [...passed, ...Object.keys(extra)]) {
    if (!isEnvironmentName(name)) {
      throw new InvalidArgumentError("env", `${JSON.stringify(name)} is not the name of a variable`, {
        hint: "Names are letters, digits and _, and begin with no digit. terminal.env_passthrough takes names, not NAME=value.",
      });
    }
  }
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(hostEnv)) {
    if (value === undefined || stripped.has(name) || name === "__proto__") continue;
    const isProxyWithPassword = proxyNames.has(name) && carriesCredentials(value);
    if (passed.has(name) || (isInheritedByAgents(name) && !isProxyWithPassword)) environment[name] = value;
  }
  for (const [name, value] of Object.entries(extra)) {
    if (value.includes("\0")) {
      throw new InvalidArgumentError(
        "env",
        `The value of ${name} contains a NUL character, which no process can be given`,
        {
          hint: "Pass binary data through stdin or a file.",
        },
      );
    }
    if (!stripped.has(name)) environment[name] = value;
  }
  return environment;
}

/** The names a user passes on that do not pass, because they hold a backend's credential. For a warning. */
export function refusedPassthrough(pass: readonly string[], strip: readonly string[]): readonly string[] {
  const stripped = new Set(strip);
  return [...new Set(pass)].filter((name) => stripped.has(name)).sort();
}

/** `http://user:password@proxy:3128`. Without a scheme too: curl takes that form as well. */
function carriesCredentials(proxy: string): boolean {
  return proxy.includes("@");
}
