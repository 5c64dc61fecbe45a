import { accessSync, constants, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import type { DoctorCheck } from "@talaria/core";
import { findSetpriv } from "../account/switch-account.js";
import { findBash, type BashSearch } from "../bash/find-bash.js";
import type { LoginEnvironment } from "../login/login-environment.js";
import { findPty } from "../terminal/pty-binding.js";

/** Linux, statfs(2): TMPFS_MAGIC. */
const tmpfsType = 0x0102_1994;

/** The row for a bash that was looked for. */
export function bashCheck(search: BashSearch): DoctorCheck {
  const row = { id: "bash", label: "bash" };
  switch (search.kind) {
    case "found":
      return { ...row, status: "ok", detail: `${search.path} (${search.version.text})` };
    case "tooOld":
      return {
        ...row,
        status: "failed",
        detail: `${search.path} is ${search.version.text}; 4.1 or newer is needed, and none was found`,
        hint: "Install a newer one (macOS: brew install bash) or name it in terminal.backends.local.shell.",
      };
    case "missing":
      return {
        ...row,
        status: "failed",
        detail: "no bash was found",
        hint: "Install bash, or name its path in terminal.backends.local.shell.",
      };
  }
}

function ptyCheck(): DoctorCheck {
  const path = findPty();
  const row = { id: "pty", label: "terminals" };
  if (path !== undefined)
    return { ...row, status: "ok", detail: `prebuild for ${process.platform}-${process.arch}` };
  return {
    ...row,
    status: "warning",
    detail: `no prebuild of @lydell/node-pty for ${process.platform}-${process.arch}: talaria shell does not work`,
    hint: "Install again without --omit=optional, on this platform.",
  };
}

/** Where shells keep their state between commands: the first of these that can be written. */
function temporaryCheck(): DoctorCheck {
  const row = { id: "temp", label: "temporary folder" };
  const folders = [...(process.platform === "linux" ? ["/dev/shm"] : []), tmpdir(), "/tmp"];
  const folder = folders.find(isWritable);
  if (folder === undefined) {
    return {
      ...row,
      status: "failed",
      detail: `none of ${folders.join(", ")} can be written`,
      hint: "Correct their permissions, or set TMPDIR to a folder of your own.",
    };
  }
  const isMemory = process.platform === "linux" && statfsSync(folder).type === tmpfsType;
  return {
    ...row,
    status: "ok",
    detail: isMemory ? `${folder} (in memory)` : `${folder} (on disk: commands are slower)`,
  };
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function accountCheck(): DoctorCheck {
  const row = { id: "user", label: "other accounts" };
  if (findSetpriv() !== undefined)
    return { ...row, status: "ok", detail: "root with setpriv: commands can run as any account" };
  if (process.geteuid?.() !== 0)
    return { ...row, status: "ok", detail: "not root: commands run as this account only" };
  return {
    ...row,
    status: "warning",
    detail: "root, but without setpriv: commands run as root only",
    hint: "Install util-linux (Linux only).",
  };
}

function loginCheck(login: LoginEnvironment | undefined): DoctorCheck {
  const row = { id: "login_env", label: "login environment" };
  if (login === undefined)
    return { ...row, status: "ok", detail: "switched off (terminal.backends.local.login_env)" };
  if (login.note !== undefined) {
    return {
      ...row,
      status: "warning",
      detail: login.note,
      hint: "Run the login shell by hand to see what it does.",
    };
  }
  const count = Object.keys(login.env).length;
  return { ...row, status: "ok", detail: `${count} variables from the start-up files (${login.source})` };
}

/** All rows of this backend. `login` is undefined when the login environment is not wanted. */
export async function doctorChecks(
  shell: string | undefined,
  login: Promise<LoginEnvironment> | undefined,
): Promise<readonly DoctorCheck[]> {
  return [
    bashCheck(await findBash(shell, process.env["PATH"])),
    loginCheck(await login),
    ptyCheck(),
    temporaryCheck(),
    accountCheck(),
  ];
}
