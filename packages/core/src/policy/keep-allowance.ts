import { setConfigValues } from "../config/edit-config.js";

/** Adds an entry to `approvals.allow` in `<TALARIA_HOME>/config.yaml`, as one step. Throws ConfigError. */
export async function keepAllowance(entry: string, talariaHome: string): Promise<void> {
  await setConfigValues(
    (current) => {
      const before: unknown = current("approvals.allow");
      const entries = Array.isArray(before) ? before.filter((one) => typeof one === "string") : [];
      return entries.includes(entry) ? [] : [["approvals.allow", [...entries, entry]]];
    },
    { talariaHome },
  );
}
