import type { JobInfo } from "./job-info.js";

/** A text or expression that lines of a job's output are compared with. */
export interface WatchPattern {
  /** A string is looked for as it is. */
  readonly pattern: string | RegExp;
  /** Named in the events. Default: the pattern's text. */
  readonly name?: string | undefined;
  /** At most one event of this pattern in so many milliseconds. Default 15,000. */
  readonly minIntervalMs?: number | undefined;
  /** Intervals in a row in which events were suppressed, after which the pattern is switched off. Default 3. */
  readonly maxStrikes?: number | undefined;
}

/** What jobs tell of themselves. */
export type JobEvent =
  | { readonly kind: "end"; readonly jobId: string; readonly info: JobInfo }
  | {
      readonly kind: "match";
      readonly jobId: string;
      /** The pattern's name. */
      readonly pattern: string;
      readonly line: string;
      /** Offset of the line in the log. */
      readonly offset: number;
      /** Matches since the event before that were not told. */
      readonly suppressed: number;
    }
  | {
      /** The pattern matched too often and is not looked for any more. */
      readonly kind: "watchDisabled";
      readonly jobId: string;
      readonly pattern: string;
      readonly suppressed: number;
    }
  | {
      /** Its output could not be followed any further, so patterns are not looked for any more. */
      readonly kind: "watchFailed";
      readonly jobId: string;
      readonly error: string;
    };

export type JobEventListener = (event: JobEvent) => void;
