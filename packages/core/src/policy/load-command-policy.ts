import type { CommandPolicy, CommandPolicyOptions } from "./command-policy.js";

/** Makes the policy of a session. Rules and parser are loaded here, at the first use, and not with the package. */
export async function loadCommandPolicy(options: CommandPolicyOptions): Promise<CommandPolicy> {
  const [policy, parser] = await Promise.all([import("./command-policy.js"), import("unbash")]);
  return new policy.CommandPolicy(options, parser);
}
