// @ts-check
import { missingNeeds } from "../needs.mjs";

/** @type {readonly import("../engine.mjs").Need[]} */
const needs = [
  { command: "bash", debian: "bash", why: "the warm shell" },
  { command: "busybox", debian: "busybox-static", why: "the shell mode for sandboxes without bash" },
  { command: "rg", debian: "ripgrep", why: "searching, which without it goes through grep" },
  { command: "tmux", debian: "tmux", why: "the CLI in a real terminal" },
  { command: "zsh", debian: "zsh", why: "zsh completion" },
  { command: "fish", debian: "fish", why: "fish completion" },
];

/**
 * This host: nothing is started, only programs have to be there.
 *
 * @type {import("../engine.mjs").Engine}
 */
export const local = {
  name: "local",
  needs,
  async up() {},
  async down() {},
  async status() {
    const missing = missingNeeds(needs);
    return missing.length === 0
      ? { isUp: true, detail: "this host" }
      : { isUp: false, detail: `missing: ${missing.map((need) => need.command).join(", ")}` };
  },
};
