/** `info` says something that is no fault: a backend nobody asked for is not installed. */
export type DoctorStatus = "ok" | "info" | "warning" | "failed";

/** One row of `talaria doctor`. */
export interface DoctorRow {
  /** The backend concerned; null for what concerns all of them. */
  readonly backend: string | null;
  /** Stable word, unique in the backend. */
  readonly id: string;
  readonly status: DoctorStatus;
  /** Stable word that says why: `ok`, `not_installed`, `probe_timeout` … */
  readonly reason: string;
  readonly label: string;
  readonly detail: string;
  readonly hint?: string | undefined;
}

/** Whether the rows as a whole are a failure. */
export function isBroken(rows: readonly DoctorRow[], strict: boolean): boolean {
  return rows.some(({ status }) => status === "failed" || (strict && status === "warning"));
}
