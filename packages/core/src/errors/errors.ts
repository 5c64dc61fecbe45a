import { TalariaError, type TalariaErrorDetails } from "./talaria-error.js";

/** A value handed to an API or a flag is unusable: a timeout of 0, an empty command, a malformed name. */
export class InvalidArgumentError extends TalariaError {
  /** The name of the argument, as the caller knows it. */
  readonly argument: string;
  constructor(argument: string, message: string, details?: TalariaErrorDetails) {
    super("invalid_argument", message, details);
    this.argument = argument;
  }
}

/** A configuration file, variable or key is unreadable, unknown or of the wrong type. */
export class ConfigError extends TalariaError {
  /** The dotted key concerned, when one is. */
  readonly key: string | undefined;
  /** Where the value came from: a file with its line, a variable, a flag. */
  readonly source: string | undefined;
  constructor(
    message: string,
    details: TalariaErrorDetails & { key?: string | undefined; source?: string | undefined } = {},
  ) {
    super("config", message, details);
    this.key = details.key;
    this.source = details.source;
  }
}

/** A provider could not be registered: reserved or taken name, a flag that throws or has the wrong type. */
export class RegistrationError extends TalariaError {
  constructor(message: string, details?: TalariaErrorDetails) {
    super("registration", message, details);
  }
}

/** No backend of that name is known or installed. The hint carries the install line where there is one. */
export class UnknownBackendError extends TalariaError {
  constructor(message: string, details?: TalariaErrorDetails) {
    super("unknown_backend", message, details);
  }
}

/** A plugin's manifest or entry module is unusable. */
export class PluginError extends TalariaError {
  constructor(message: string, details?: TalariaErrorDetails) {
    super("plugin", message, details);
  }
}

/** A third party broke the contract: wrong result shape, string where a list belongs, a flag that changed type. */
export class ContractError extends TalariaError {
  constructor(message: string, details?: TalariaErrorDetails) {
    super("contract", message, details);
  }
}

/** Engine down, link lost, sandbox gone. Never turned into an exit code. */
export class EnvironmentConnectionError extends TalariaError {
  /** What makes a retry likely to work, in words. */
  readonly retryHint: string;
  constructor(message: string, details: TalariaErrorDetails & { retryHint: string }) {
    super("connection", message, { hint: details.retryHint, ...details });
    this.retryHint = details.retryHint;
  }
}

/** The environment, or this machine, does not have what was asked for. */
export class UnsupportedCapabilityError extends TalariaError {
  readonly capability: string;
  constructor(capability: string, message: string, details?: TalariaErrorDetails) {
    super("unsupported", message, details);
    this.capability = capability;
  }
}

/** The directory a command should start in does not exist or cannot be entered. */
export class WorkdirError extends TalariaError {
  /** The directory as asked for. */
  readonly workdir: string;
  constructor(workdir: string, message: string, details?: TalariaErrorDetails) {
    super("workdir", message, details);
    this.workdir = workdir;
  }
}

/** A session file is unreadable, broken, or written by a newer Talaria. The file is left as it is. */
export class SessionFileError extends TalariaError {
  constructor(message: string, details?: TalariaErrorDetails) {
    super("session_file", message, details);
  }
}

/** Use of an environment or a session after `close()`. */
export class ClosedError extends TalariaError {
  constructor(message: string, details?: TalariaErrorDetails) {
    super("closed", message, details);
  }
}

/** A program could not be started: not found, not executable, arguments too long. It never ran. */
export class SpawnError extends TalariaError {
  /** The program as asked for. */
  readonly program: string;
  /** The system's word for it: `ENOENT`, `EACCES`, `E2BIG` … */
  readonly reason: string;
  constructor(program: string, reason: string, message: string, details?: TalariaErrorDetails) {
    super("spawn", message, details);
    this.program = program;
    this.reason = reason;
  }
}

/** A command may not run: the hardline floor, a deny rule, or a dangerous command that nobody approved. It never ran. */
export class CommandDeniedError extends TalariaError {
  /** The rule that decided, as `talaria approvals test` names it. */
  readonly rule: string;
  constructor(rule: string, message: string, details?: TalariaErrorDetails) {
    super("denied", message, details);
    this.rule = rule;
  }
}

/** A file operation cannot be done: missing, not a file, refused, no permission, no room. Nothing was changed. */
export class FileError extends TalariaError {
  /** The path as asked for. */
  readonly path: string;
  /** The kind of trouble, in the system's word where it has one. Stable. */
  readonly reason: FileErrorReason;
  constructor(path: string, reason: FileErrorReason, message: string, details?: TalariaErrorDetails) {
    super("file", message, details);
    this.path = path;
    this.reason = reason;
  }
}

export type FileErrorReason =
  | "not_found"
  | "is_directory"
  | "not_directory"
  | "not_regular"
  | "exists"
  | "not_empty"
  | "permission"
  | "no_space"
  | "read_only"
  | "too_large"
  | "binary"
  | "refused"
  | "changed"
  | "no_match"
  | "ambiguous"
  | "invalid"
  | "io";

/** A job cannot be found or used: unknown or ambiguous id, its sandbox is gone, it has ended. */
export class JobError extends TalariaError {
  /** The id as asked for. */
  readonly jobId: string;
  constructor(
    code: "job_not_found" | "job_ambiguous" | "job_lost" | "job_ended" | "job_invalid",
    jobId: string,
    message: string,
    details?: TalariaErrorDetails,
  ) {
    super(code, message, details);
    this.jobId = jobId;
  }
}
