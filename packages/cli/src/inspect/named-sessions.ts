import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Names of the sessions that are kept, sorted. What is in their files is core's business. */
export async function namedSessions(talariaHome: string): Promise<readonly string[]> {
  const names = await readdir(join(talariaHome, "sessions")).catch((): string[] => []);
  return names
    .filter((name) => name.endsWith(".json") && !name.startsWith("."))
    .map((name) => name.slice(0, -".json".length))
    .sort();
}
