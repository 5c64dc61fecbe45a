import { createHash, randomBytes } from "node:crypto";
import { InvalidArgumentError, JobError } from "../errors/errors.js";

const idPattern = /^[0-9a-f]{1,12}$/;
const keyPattern = /^[A-Za-z0-9][A-Za-z0-9._:@-]{0,127}$/;

/** A new id: 12 hexadecimal digits. One with a key is made of the key, so that the folder itself is the reservation. */
export function newJobId(key: string | undefined): string {
  if (key === undefined) return randomBytes(6).toString("hex");
  if (!keyPattern.test(key)) {
    throw new InvalidArgumentError(
      "key",
      "A command key is 1 to 128 of A-Z a-z 0-9 . _ : @ - and begins with a letter or digit.",
      { operation: "jobs.start", hint: "Use a random UUID, or the id of the task that the command is for." },
    );
  }
  return createHash("sha256").update(`key\0${key}`).digest("hex").slice(0, 12);
}

/** Throws JobError for what can be no id and no beginning of one. */
export function checkJobId(id: string, backend: string): void {
  if (typeof id === "string" && idPattern.test(id)) return;
  throw new JobError(
    "job_not_found",
    String(id),
    `There is no job "${String(id)}": ids have up to 12 digits of 0-9 a-f.`,
    {
      backend,
      operation: "jobs",
      hint: "List the jobs of the session to see their ids.",
    },
  );
}
