import { basename } from "node:path";

/** A shell whose start-up files are worth reading, and how. */
export interface LoginShell {
  readonly path: string;
  readonly kind: "bash" | "zsh";
}

/**
 * The shell whose login environment is taken: the user's own when it is bash or zsh, else bash. What fish, tcsh and
 * others keep in their own languages reaches programs through their parents only.
 */
export function loginShellOf(userShell: string | undefined, bash: string): LoginShell {
  const path = userShell?.startsWith("/") === true ? userShell : bash;
  const name = basename(path);
  if (name === "zsh") return { path, kind: "zsh" };
  return { path: name === "bash" ? path : bash, kind: "bash" };
}

/**
 * The command line that runs `script` after the start-up files.
 *
 * `terminal`: as in a new terminal window of a desktop. The login files are read once, then those of an interactive
 * shell, because nvm, pyenv, conda and their like put themselves into ~/.bashrc, below the line by which Debian's
 * ~/.bashrc returns when it is not interactive. zsh reads both in one go.
 * `login`: the login files only, for start-up files that cannot bear to be interactive without a terminal.
 */
export function loginCommand(
  shell: LoginShell,
  mode: "terminal" | "login",
  script: string,
): [string, ...string[]] {
  if (mode === "login") return [shell.path, "-l", "-c", script];
  if (shell.kind === "zsh") return [shell.path, "-l", "-i", "-c", script];
  return [shell.path, "-l", "-c", 'exec "$0" -i -c "$1"', shell.path, script];
}
