import type { AuditedApproval } from "../audit/audit-event.js";
import { CommandDeniedError } from "../errors/errors.js";
import type {
  Admission,
  AdmitOptions,
  CommandPolicy,
  CommandPolicyOptions,
} from "../policy/command-policy.js";
import { loadCommandPolicy } from "../policy/load-command-policy.js";

/**
 * A session's policy, made at its first command: only then is it known whether the sandbox has paths of the host. Its
 * modules begin to load with the session, so that the first command does not wait for them.
 */
export class SessionPolicyGate {
  readonly #options: () => CommandPolicyOptions;
  readonly #record: (event: AuditedApproval) => void;
  #policy: Promise<CommandPolicy> | undefined;

  constructor(options: () => CommandPolicyOptions, record: (event: AuditedApproval) => void) {
    this.#options = options;
    this.#record = record;
    // A failure to load shows when the policy is needed.
    void import("../policy/command-policy.js").catch(() => undefined);
  }

  /**
   * Resolves when the command may run, with notes for its reader. Throws CommandDeniedError when it may not, and the
   * signal's reason when the caller stopped waiting for an answer.
   */
  async admit(command: string, options: AdmitOptions): Promise<readonly string[]> {
    this.#policy ??= loadCommandPolicy(this.#options());
    const policy = await this.#policy;
    try {
      const admission = await policy.admit(command, options);
      this.#recordAdmission(command, admission);
      return admission.notes;
    } catch (error) {
      if (error instanceof CommandDeniedError) {
        this.#record({ kind: "approval", operation: "denied", command, rule: error.rule });
      }
      throw error;
    }
  }

  #recordAdmission(command: string, { verdict, answer }: Admission): void {
    const rule = verdict.rule ?? "";
    if (answer !== null && answer !== "deny") {
      this.#record({ kind: "approval", operation: "approved", command, rule, scope: answer });
    } else if (verdict.level === "allowance") {
      this.#record({ kind: "approval", operation: "allowance_used", command, rule });
    }
  }
}
