import { agentEnvironment } from "./agent-environment.js";
import { allStripEnvKeys } from "./strip-env-keys.js";

/**
 * The environment of a program that Talaria itself starts on this host to ask it something (`ps`, `getent`): what an
 * agent's process inherits, in the C locale, so that its answers can be read. Nothing of the host that could be a secret.
 */
export function helperEnvironment(
  hostEnv: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  return agentEnvironment({ hostEnv, strip: allStripEnvKeys({}), extra: { LC_ALL: "C" } });
}
