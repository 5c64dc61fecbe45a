import { createHash } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { LoginShell } from "./login-shell.js";

const systemFiles: Readonly<Record<LoginShell["kind"], readonly string[]>> = {
  bash: ["/etc/profile", "/etc/bash.bashrc", "/etc/bashrc"],
  zsh: [
    ...["zshenv", "zprofile", "zshrc", "zlogin"].flatMap((name) => [`/etc/${name}`, `/etc/zsh/${name}`]),
    "/etc/profile",
  ],
};

const homeFiles: Readonly<Record<LoginShell["kind"], readonly string[]>> = {
  bash: [".bash_profile", ".bash_login", ".profile", ".bashrc", ".bash_aliases"],
  zsh: [".zshenv", ".zprofile", ".zshrc", ".zlogin"],
};

/** Folders whose files the system's start-up files read. macOS: path_helper. */
const systemFolders = ["/etc/profile.d", "/etc/paths.d"];

function listed(folder: string): string[] {
  try {
    return readdirSync(folder)
      .toSorted()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** Variables that start-up files look at, or start from. A change of one is a change of the result. */
const hostVariables = [
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "PATH",
  "ZDOTDIR",
  "LANG",
  "LC_ALL",
  "XDG_CONFIG_HOME",
];

/** A file as the key sees it: where it is, when it last changed, how long it is. */
function mark(path: string): string {
  try {
    const { mtimeMs, ctimeMs, size, ino } = statSync(path);
    return `${path}\0${mtimeMs}\0${ctimeMs}\0${size}\0${ino}`;
  } catch {
    return "";
  }
}

/**
 * Names everything the login environment depends on, as far as it can be seen from outside: the shell, its start-up
 * files, the variables it starts from. Files that those files read in turn are not seen; entries therefore expire.
 */
export function fingerprint(shell: LoginShell, host: Readonly<Record<string, string | undefined>>): string {
  const home = host["HOME"] ?? "/";
  const homes = shell.kind === "zsh" && host["ZDOTDIR"] !== undefined ? [home, host["ZDOTDIR"]] : [home];
  const files = [
    shell.path,
    ...systemFiles[shell.kind],
    ...systemFolders.flatMap(listed),
    ...homes.flatMap((folder) => homeFiles[shell.kind].map((name) => join(folder, name))),
  ];
  const hash = createHash("sha256");
  for (const file of files) hash.update(mark(file)).update("\n");
  for (const name of hostVariables) hash.update(`${name}=${host[name] ?? "\0"}\n`);
  return hash.update(String(process.getuid?.() ?? "")).digest("hex");
}
