import type { Config } from "../config/config.js";
import type { ApprovalOptions } from "./approval-options.js";
import type { CommandPolicyOptions } from "./command-policy.js";
import { keepAllowance } from "./keep-allowance.js";

/** What a session knows when it makes its policy. */
export interface SessionPolicyFacts {
  readonly backend: string;
  /** The session's name, else its id. */
  readonly session: string;
  /** The provider's flag. An environment that is handed in without one counts as not isolated. */
  readonly skipContainerGuards: boolean;
  /** Whether paths of the host are mounted in the sandbox. */
  readonly hasHostPaths: boolean;
  readonly config: Config | undefined;
  /** Where an allowance for good is written. */
  readonly talariaHome: string;
}

/** A session's options together with the configuration: deny rules and allowances of both hold. */
export function sessionPolicyOptions(
  options: ApprovalOptions,
  facts: SessionPolicyFacts,
): CommandPolicyOptions {
  const { config, talariaHome } = facts;
  const timeoutSeconds = config?.get("approvals.timeout_seconds");
  return {
    backend: facts.backend,
    session: facts.session,
    mode: options.mode ?? config?.get("approvals.mode") ?? "ask",
    approve: options.approve,
    deny: [...(config?.get("approvals.deny") ?? []), ...(options.deny ?? [])],
    allow: [...(config?.get("approvals.allow") ?? []), ...(options.allow ?? [])],
    timeoutMs: options.timeoutMs ?? (timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000),
    skipsQuestions: facts.skipContainerGuards && !facts.hasHostPaths,
    keep: (entry) => keepAllowance(entry, talariaHome),
  };
}
