export * from "./errors/talaria-error.js";
export * from "./errors/errors.js";
export * from "./environment/capabilities.js";
export * from "./environment/base-environment.js";
export * from "./environment/environment.js";
export * from "./environment/execute-options.js";
export * from "./environment/execute-result.js";
export * from "./environment/outcome.js";
export * from "./environment/sandbox-access.js";
export * from "./environment/tool-event.js";
export * from "./environment/sandbox-process.js";
export * from "./environment/spill-file.js";
export * from "./provider/config-schema.js";
export * from "./provider/provider.js";
export * from "./shell/shell-state.js";
export * from "./workdir/paths.js";
export { MountTable, type Mount } from "./workdir/mount-table.js";
export {
  backendDefaultCwd,
  type DefaultCwdFacts,
  type OwnDefaultCwd,
} from "./workdir/backend-default-cwd.js";
export { resolveStart } from "./workdir/resolve-start.js";
export type { ConfiguredCwd, ResolvedStart, StartInputs, StartSource } from "./workdir/start-inputs.js";
export { shellQuote, shellQuoteWords } from "./shell/quote.js";
export {
  isMinimalEnvironment,
  WrappedEnvironment,
  type WrapMinimalOptions,
} from "./environment/minimal-environment.js";
export { openSession } from "./session/open-session.js";
export { TerminalSession } from "./session/terminal-session.js";
export type { ClosedSession, CloseSessionOptions } from "./session/terminal-session.js";
export type {
  OpenSessionOptions,
  SessionCommandOptions,
  SessionSpawnOptions,
} from "./session/session-options.js";
export type { ExecuteResult } from "./session/session-result.js";
export type { EnvironmentDescription } from "./description/describe-environment.js";
export type { EnvironmentFacts } from "./description/environment-facts.js";
export { CommandFailedError } from "./session/command-failed-error.js";
export { checkSessionName } from "./session/session-name.js";
export * from "./provider/sandbox-record.js";
export { checkConfig, loadConfig, type LoadConfigOptions } from "./config/load-config.js";
export { Config } from "./config/config.js";
export { configKeyNames, configKeys, isConfigKeyName } from "./config/config-keys.js";
export type { ConfigKeyName, ConfigValues } from "./config/config-keys.js";
export type { ConfigKey } from "./config/config-key.js";
export { showSource, showValue } from "./config/config-value.js";
export type { ConfigProblem, ConfigSource, ConfigSourceKind, ConfigValue } from "./config/config-value.js";
export {
  setConfigValue,
  setConfigValues,
  unsetConfigValue,
  type ConfigEdit,
  type EditConfigOptions,
} from "./config/edit-config.js";
export { resolveBackendConfig, type ResolvedBackendConfig } from "./config/backend-config.js";
export { environmentNameOf } from "./config/environment-layer.js";
export { makePrivateFolder } from "./config/private-folder.js";
export { configPath, talariaHomePath, type HostEnvironment } from "./config/talaria-home.js";
export type { KnownSchemas } from "./config/key-target.js";
export type { ProviderFlags } from "./provider/provider-flags.js";
export { readProviderFlags } from "./provider/read-flags.js";
export { readDefaultCwd, type DefaultCwdReading } from "./provider/read-default-cwd.js";
export { looksSecret } from "./provider/looks-secret.js";
export { nearestName } from "./provider/nearest-name.js";
export { normaliseBackendName } from "./registry/backend-name.js";
export { pluginOrigin, type OriginDescription, type PluginOrigin } from "./registry/plugin-origin.js";
export { ProviderRegistry, type RegisteredProvider } from "./registry/provider-registry.js";
export {
  firstPartyPackageOf,
  isReservedName,
  reservedNames,
  type ReservedName,
} from "./registry/reserved-names.js";
export { loadBackend, type LoadBackendOptions } from "./plugins/load-backend.js";
export { listPlugins, type PluginRow } from "./plugins/list-plugins.js";
export { listBackends, type BackendRow } from "./plugins/list-backends.js";
export { disablePlugin, enablePlugin } from "./plugins/enable-plugin.js";
export type { EnablePluginOptions, PluginEdit } from "./plugins/enable-plugin.js";
export { discoverPlugins, manifestsOf, type DiscoveredPlugins } from "./plugins/discover-plugins.js";
export type { PluginManifest } from "./plugins/plugin-manifest.js";
export type { FoundPlugin } from "./plugins/read-manifest.js";
export type { PluginContext } from "./plugins/plugin-context.js";
export type { PluginPlaceOptions } from "./plugins/plugin-places.js";
export { agentEnvironment, refusedPassthrough } from "./secrets/agent-environment.js";
export type { AgentEnvironmentOptions } from "./secrets/agent-environment.js";
export { helperEnvironment } from "./secrets/helper-environment.js";
export { allStripEnvKeys } from "./secrets/strip-env-keys.js";
export type {
  ApprovalAnswer,
  ApprovalMode,
  ApprovalOptions,
  ApprovalRequest,
  Approve,
} from "./policy/approval-options.js";
export type { RuleCategory } from "./policy/rule-category.js";
export { SessionFiles } from "./files/session-files.js";
export type { FileStat, FileType, StatOptions } from "./files/file-facts.js";
export type { FileSettings } from "./files/file-settings.js";
export type * from "./files/read-result.js";
export type * from "./files/write-result.js";
export type * from "./files/tree-options.js";
export type * from "./files/search-result.js";
export type * from "./files/watch-event.js";
export { AuditLog, type AuditLogOptions } from "./audit/audit-log.js";
export { auditKinds } from "./audit/audit-event.js";
export type * from "./audit/audit-event.js";
export type { AuditEntry } from "./audit/audit-entry.js";
export { readAudit, type ReadAuditOptions } from "./audit/read-audit.js";
export { verifyAudit, type AuditVerification } from "./audit/verify-audit.js";
export { Redactor } from "./secrets/redactor.js";
export type { KnownSecret, OutputRedaction, RedactionRules } from "./secrets/redaction-rules.js";
export * from "./jobs/job-info.js";
export type * from "./jobs/job-options.js";
export type * from "./jobs/job-event.js";
export type * from "./jobs/yield-options.js";
export type { Job } from "./jobs/job.js";
export type { SessionJobs, StoppedJob } from "./jobs/session-jobs.js";
export { exactPattern } from "./policy/command-pattern.js";
export { listCommandRules, type CommandRuleFacts } from "./policy/list-command-rules.js";
export { loadCommandPolicy } from "./policy/load-command-policy.js";
export type {
  Admission,
  AdmitOptions,
  CommandPolicy,
  CommandPolicyOptions,
} from "./policy/command-policy.js";
export { sessionPolicyOptions, type SessionPolicyFacts } from "./policy/session-policy.js";
export type { JudgedPlace } from "./policy/scope.js";
export type { Verdict } from "./policy/verdict.js";
export type {
  AppliedEdit,
  AppliedPatch,
  PatchedFile,
  PatchedLines,
  PatchFileOptions,
  PatchOptions,
  TextEdit,
} from "./files/patch/patch-result.js";
export type { MatchStrategyName } from "./files/patch/text-match.js";
export type * from "./files/transfer/transfer-options.js";
export type { SkippedEntry } from "./files/archive/tree-report.js";
export type { ArchiveLimits } from "./files/archive/archive-limits.js";
export type { ArchiveOptions, ArchiveResult } from "./files/archive/archive-file.js";
export { createArchive, extractArchive } from "./files/archive/archives.js";
export { CacheSyncError } from "./cache/cache-sync-error.js";
export type { CacheSync } from "./cache/cache-sync.js";
export type { SessionCache, SessionCacheOptions } from "./cache/session-cache.js";
export type { CacheSyncCall, CacheSyncOptions } from "./cache/cache-sync-options.js";
export type { SkippedFile, SyncReport } from "./cache/sync-report.js";
