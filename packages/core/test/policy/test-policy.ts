import { loadCommandPolicy, type CommandPolicy, type CommandPolicyOptions } from "../../src/index.js";

/** A policy of a session on `local` that nobody answers for, unless the test says otherwise. */
export function testPolicy(options: Partial<CommandPolicyOptions> = {}): Promise<CommandPolicy> {
  return loadCommandPolicy({ backend: "local", session: "test", ...options });
}
