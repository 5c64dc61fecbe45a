import type { ConfigKey } from "./config-key.js";

const decidesWhatRuns = "a project could otherwise make code of its own run with everything this user may do";
const decidesWhatIsAllowed = "a project could otherwise lift the limits its own commands run under";
const showsSecrets = "a project could otherwise have secrets of this host shown or sent on";
const hidesWhatRan = "a project could otherwise keep what its commands do out of the audit";
const carriesCredentials = "a project could otherwise have variables of this host handed to its own commands";

/** Every fixed key, in the order `config get` and the docs show them. */
export const configKeys = {
  "terminal.backend": {
    type: "string",
    description: "The backend that commands run on.",
    default: "local",
    option: "--backend",
  },
  "terminal.cwd": {
    type: "string",
    description:
      "Where commands start. `.`, `auto` and `cwd` count as not set. A relative path in a project file is relative to that file.",
    whenUnset: "the backend's own default directory",
  },
  "terminal.timeout": {
    type: "number",
    description: "Ends a command and its process tree after this long, when the call says nothing.",
    default: 180,
    unit: "seconds",
    isPositive: true,
  },
  "terminal.max_foreground_seconds": {
    type: "number",
    description: "The longest timeout a foreground command may ask for.",
    default: 600,
    unit: "seconds",
    isPositive: true,
  },
  "terminal.lifetime_seconds": {
    type: "number",
    description: "How long an idle sandbox is kept before it may be freed.",
    default: 300,
    unit: "seconds",
    isPositive: true,
  },
  "terminal.env_passthrough": {
    type: "list",
    description:
      "Names of this host's variables that the agent's commands get too. Credentials of installed backends never pass.",
    default: [],
    refusedInProject: carriesCredentials,
  },
  "terminal.cache_sync": {
    type: "boolean",
    description: "Mirror <TALARIA_HOME>/cache into sandboxes that have a place for it. One way.",
    default: true,
  },
  "terminal.credential_files": {
    type: "list",
    description:
      "Files below TALARIA_HOME, by their relative names, that sandboxes get too, readable by the agent. Removed there when no longer listed.",
    default: [],
    refusedInProject: carriesCredentials,
  },
  "terminal.container_cpu": {
    type: "number",
    description: "CPUs of a sandbox.",
    unit: "CPUs",
    isPositive: true,
    whenUnset: "the backend's own default",
  },
  "terminal.container_memory": {
    type: "number",
    description: "Memory of a sandbox.",
    unit: "MB",
    isPositive: true,
    isWhole: true,
    whenUnset: "the backend's own default",
  },
  "terminal.container_disk": {
    type: "number",
    description: "Disk of a sandbox.",
    unit: "MB",
    isPositive: true,
    isWhole: true,
    whenUnset: "the backend's own default",
  },
  "terminal.container_persistent": {
    type: "boolean",
    description: "Keep a sandbox's files when its session ends.",
    whenUnset: "the backend's own default",
  },
  "terminal.docker_image": {
    type: "string",
    description: "Image of the docker backend.",
    whenUnset: "the backend's own",
  },
  "terminal.singularity_image": {
    type: "string",
    description: "Image of the singularity backend.",
    whenUnset: "the backend's own",
  },
  "terminal.modal_image": {
    type: "string",
    description: "Image of the modal backend.",
    whenUnset: "the backend's own",
  },
  "terminal.daytona_image": {
    type: "string",
    description: "Image of the daytona backend.",
    whenUnset: "the backend's own",
  },
  "terminal.vercel_runtime": {
    type: "string",
    description: "Runtime of the vercel_sandbox backend.",
    whenUnset: "the backend's own",
  },
  "plugins.enabled": {
    type: "list",
    description: "Ids of the plugins that may be loaded: a package's or a plugin folder's name.",
    default: [],
    refusedInProject: decidesWhatRuns,
  },
  "plugins.disabled": {
    type: "list",
    description: "Ids of the plugins that are never loaded, first-party ones too. Wins over plugins.enabled.",
    default: [],
    refusedInProject: decidesWhatRuns,
  },
  "plugins.isolation": {
    type: "select",
    description: "Where a plugin's code runs: in this process, or each in a process of its own.",
    options: ["in_process", "host"],
    default: "in_process",
    refusedInProject: decidesWhatRuns,
  },
  "plugins.project_packages": {
    type: "boolean",
    description: "Look for backends in the node_modules folders at and above the working directory too.",
    default: true,
    refusedInProject: decidesWhatRuns,
  },
  "approvals.mode": {
    type: "select",
    description:
      "What happens to a dangerous command: ask whoever can be asked, deny it, or let it run. Commands of the hardline floor and of approvals.deny never run.",
    options: ["ask", "deny", "off"],
    default: "ask",
    refusedInProject: decidesWhatIsAllowed,
  },
  "approvals.timeout_seconds": {
    type: "number",
    description: "How long a question about a command waits for an answer. Then the answer is deny.",
    unit: "seconds",
    isPositive: true,
    default: 300,
    refusedInProject: decidesWhatIsAllowed,
  },
  "approvals.deny": {
    type: "list",
    description:
      "Patterns (*, ?) of commands that never run: compared with each command that would be executed, wrappers seen through.",
    default: [],
    refusedInProject: decidesWhatIsAllowed,
  },
  "approvals.allow": {
    type: "list",
    description:
      "Commands that run without a question: the exact text, or a pattern (*, ?) of a single command. A backslash before * or ? takes its meaning away.",
    default: [],
    refusedInProject: decidesWhatIsAllowed,
  },
  "secrets.redact_output": {
    type: "select",
    options: ["values", "patterns", "off"],
    description:
      "What is taken out of the output of commands: `values`, secrets whose text is known; `patterns`, also what looks like a token; `off`, nothing.",
    default: "values",
    refusedInProject: showsSecrets,
  },
  "audit.enabled": {
    type: "boolean",
    description: "Keep a log of commands, jobs, file changes and approvals in <TALARIA_HOME>/audit.",
    default: true,
    refusedInProject: hidesWhatRan,
  },
  "audit.max_file_mb": {
    type: "number",
    description: "Size at which the audit goes on in a new file.",
    default: 16,
    unit: "MB",
    isPositive: true,
    refusedInProject: hidesWhatRan,
  },
  "audit.max_files": {
    type: "number",
    description: "Files of the audit that are kept; older ones are removed.",
    default: 8,
    unit: "files",
    isWhole: true,
    isPositive: true,
    refusedInProject: hidesWhatRan,
  },
  "tracing.enabled": {
    type: "boolean",
    description: "Make OpenTelemetry spans where the program has registered an OpenTelemetry SDK.",
    default: true,
  },
  "tracing.include_command": {
    type: "boolean",
    description: "Put the text of commands, without known secrets, into spans.",
    default: false,
    refusedInProject: showsSecrets,
  },
  "bot_desktop.placement": {
    type: "select",
    description:
      "Where an agent's screen lives: inside the terminal's sandbox, on the host, or decided by the backend.",
    options: ["auto", "terminal", "gateway"],
    default: "auto",
    refusedInProject: decidesWhatIsAllowed,
    notActedOn: "this version has no desktop",
  },
} as const satisfies Readonly<Record<string, ConfigKey>>;

type Keys = typeof configKeys;

/** A fixed key, dotted. */
export type ConfigKeyName = keyof Keys;

type ValueOf<Key> = Key extends { readonly type: "boolean" }
  ? boolean
  : Key extends { readonly type: "number" }
    ? number
    : Key extends { readonly type: "list" }
      ? readonly string[]
      : Key extends { readonly type: "select"; readonly options: readonly (infer Option)[] }
        ? Option
        : string;

/** The type of each fixed key's value: undefined only where there is no default. */
export type ConfigValues = {
  readonly [Name in ConfigKeyName]: Keys[Name] extends { readonly default: unknown }
    ? ValueOf<Keys[Name]>
    : ValueOf<Keys[Name]> | undefined;
};

/** All fixed keys. */
export const configKeyNames: readonly ConfigKeyName[] = Object.freeze(
  Object.keys(configKeys) as ConfigKeyName[],
);

/** True for a fixed key. */
export function isConfigKeyName(key: string): key is ConfigKeyName {
  return Object.hasOwn(configKeys, key);
}
