import { readFileSync } from "node:fs";

/** The version in this package's manifest. Read, not imported: a JSON import warns on Node 20. */
export function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const version =
    typeof manifest === "object" && manifest !== null && "version" in manifest ? manifest.version : "";
  return typeof version === "string" ? version : "unknown";
}
