import type { SessionChoice } from "../program/session-options.js";

/** What every command of `files` takes. */
export interface FileOptions extends SessionChoice {
  readonly json?: true;
}

/** What those that change something take besides. */
export interface ChangeOptions extends FileOptions {
  readonly allowSensitive?: true;
}
