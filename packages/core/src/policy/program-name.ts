import { globMatches } from "./marks.js";

/** Programs that a name with wildcards (`/bin/r?`) could stand for, the worst first. */
const dangerousPrograms: readonly string[] = [
  "rm",
  "dd",
  "mkfs",
  "shred",
  "wipefs",
  "shutdown",
  "reboot",
  "halt",
  "poweroff",
  "init",
  "kill",
  "pkill",
  "killall",
  "chmod",
  "chown",
  "bash",
  "sh",
  "sudo",
  "fdisk",
  "parted",
  "curl",
  "wget",
  "unlink",
  "rmdir",
  "mv",
  "tee",
  "cp",
];

/** The program of a word, without its folder and without `.exe`; wildcards are read as the worst that they could be. */
export function programName(word: string): string {
  const slash = word.lastIndexOf("/");
  const base = slash < 0 ? word : word.slice(slash + 1);
  if (!/[\uE001\uE002]/u.test(base)) return base.endsWith(".exe") ? base.slice(0, -4) : base;
  return dangerousPrograms.find((name) => globMatches(base, name)) ?? base;
}

/** What `which` says. */
export function locateProgram(name: string): string {
  return name.includes("/") ? name : `/usr/bin/${name}`;
}
