// @ts-check
import { homedir } from "node:os";
import path from "node:path";

/**
 * The one folder, outside the checkout, with everything the engines keep.
 *
 * @returns {string}
 */
export function testbedFolder() {
  const chosen = process.env["TALARIA_TESTBED"];
  if (chosen !== undefined && chosen !== "") return path.resolve(chosen);
  const cache = process.env["XDG_CACHE_HOME"];
  const base = cache !== undefined && path.isAbsolute(cache) ? cache : path.join(homedir(), ".cache");
  return path.join(base, "talaria-testbed");
}
