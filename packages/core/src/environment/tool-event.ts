/** Something a tool of a session did, as the audit keeps it. Plain data; texts are redacted by who keeps them. */
export type ToolEvent =
  | {
      readonly kind: "file";
      /** `write`, `patch`, `remove`, `rename`, `mkdir`, `upload`, `download` … Reads are not reported. */
      readonly operation: string;
      /** Inside the sandbox, as the sandbox itself names it where that is known. */
      readonly path: string;
      /** The other path of a rename or a transfer. */
      readonly otherPath?: string | undefined;
      readonly bytes?: number | undefined;
      /** Absent when it succeeded. */
      readonly error?: string | undefined;
    }
  | {
      readonly kind: "job";
      /** `start`, `yield`, `stop`, `signal`, `end`. */
      readonly operation: string;
      readonly jobId: string;
      readonly command?: string | undefined;
      readonly exitCode?: number | null | undefined;
      readonly error?: string | undefined;
    };
