import { derivedCapabilities, type Capability } from "@talaria/core";
import { findSetpriv } from "./account/switch-account.js";
import { findPty } from "./terminal/pty-binding.js";

/** What can be done on this host, now: looked up, not assumed. Loads nothing. */
export function localCapabilities(): readonly Capability[] {
  const capabilities: Capability[] = [...derivedCapabilities, "execPrefix"];
  if (findPty() !== undefined) capabilities.push("tty");
  if (findSetpriv() !== undefined) capabilities.push("user");
  // The second witness of a kill is /proc.
  return process.platform === "linux" ? capabilities : capabilities.filter((name) => name !== "killProof");
}
