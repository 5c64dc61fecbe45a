// @ts-check
import { local } from "./engines/local.mjs";

/**
 * In the order they come up.
 *
 * @type {readonly import("./engine.mjs").Engine[]}
 */
export const engines = [local];
