import { AuditLog } from "../audit/audit-log.js";
import type { Config } from "../config/config.js";
import { configKeys, type ConfigKeyName, type ConfigValues } from "../config/config-keys.js";
import { talariaHomePath } from "../config/talaria-home.js";
import type { TerminalEnvironment } from "../environment/environment.js";
import type { JudgedPlace } from "../policy/scope.js";
import { sessionPolicyOptions } from "../policy/session-policy.js";
import { hostSecrets } from "../secrets/host-secrets.js";
import { Redactor } from "../secrets/redactor.js";
import { CallTracer } from "../tracing/call-tracer.js";
import type { SessionBackend } from "./session-backend.js";
import type { OpenSessionOptions } from "./session-options.js";
import { SessionPolicyGate } from "./session-policy-gate.js";
import { SessionOversight } from "./session-oversight.js";

/** Puts a session's policy, audit, tracing and redaction together from what the caller and the configuration say. */
export function makeOversight(
  options: OpenSessionOptions,
  {
    backend,
    environment,
    sessionName,
    place,
  }: {
    readonly backend: SessionBackend;
    readonly environment: TerminalEnvironment;
    readonly sessionName: string;
    readonly place: () => JudgedPlace;
  },
): SessionOversight {
  const { config } = backend;
  const talariaHome = options.talariaHome ?? config?.talariaHome ?? talariaHomePath();
  const onWarning = options.onWarning ?? (() => undefined);
  const redactor = new Redactor(
    hostSecrets({
      hostEnv: config?.environmentVariables ?? process.env,
      stripEnvKeys: backend.stripEnvKeys,
      config,
      ...(backend.configured === undefined ? {} : { backend: backend.configured }),
      given: options.secrets,
    }),
  );
  const origin = { backend: environment.backend, session: sessionName, sandboxId: environment.id };
  const audit = new AuditLog({
    talariaHome,
    isEnabled: options.audit ?? setting(config, "audit.enabled"),
    maxFileBytes: setting(config, "audit.max_file_mb") * 1024 * 1024,
    maxFiles: setting(config, "audit.max_files"),
    redactor,
    onWarning,
  });
  return new SessionOversight({
    origin,
    audit,
    redactor,
    outputRedaction: setting(config, "secrets.redact_output"),
    tracer: new CallTracer({
      isEnabled: setting(config, "tracing.enabled"),
      includesCommand: setting(config, "tracing.include_command"),
      redactor,
    }),
    place,
    policy: new SessionPolicyGate(
      () =>
        sessionPolicyOptions(
          { ...options.approvals, approve: options.approve ?? options.approvals?.approve },
          {
            backend: environment.backend,
            session: sessionName,
            skipContainerGuards: backend.skipContainerGuards,
            hasHostPaths: seesHost(environment),
            config,
            talariaHome,
          },
        ),
      (event) => audit.record({ ...origin, ...event }),
    ),
  });
}

/** Without a configuration the built-in default holds. */
function setting<Name extends ConfigKeyName>(config: Config | undefined, name: Name): ConfigValues[Name] {
  if (config !== undefined) return config.get(name);
  const key = configKeys[name];
  return ("default" in key ? key.default : undefined) as ConfigValues[Name];
}

/** Whether paths of the host are mounted: questions stay on then, whatever the provider's flags say. */
export function seesHost({ hasHostPaths, mounts }: TerminalEnvironment): boolean {
  return hasHostPaths === true || (mounts?.length ?? 0) > 0;
}
