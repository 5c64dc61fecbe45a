import { InvalidArgumentError } from "../errors/errors.js";

/**
 * Checks the name of a persisted session: `[A-Za-z0-9._-]{1,64}`, neither `.` nor `..`, because it is also the name of a
 * file. Returns it. Throws InvalidArgumentError.
 */
export function checkSessionName(name: unknown): string {
  if (typeof name === "string" && /^[A-Za-z0-9._-]{1,64}$/.test(name) && name !== "." && name !== "..") {
    return name;
  }
  const shown = typeof name === "string" ? JSON.stringify(name.slice(0, 80)) : `a ${typeof name}`;
  throw new InvalidArgumentError("session", `A session cannot be named ${shown}.`, {
    operation: "openSession",
    hint: 'Use 1 to 64 of the signs A-Z a-z 0-9 . _ -, but not "." or "..".',
  });
}
