import type { CommandPlace } from "./found-command.js";
import { globMatches, marks } from "./marks.js";

/** What kind of place a path is, for whoever is about to delete or change it. */
export type Location =
  /** `/`, or everything in it. */
  | "root"
  /** A directory that the system or a person lives in: `/etc`, `/usr/bin`, `/home`. */
  | "system"
  /** A home directory, or everything in it. */
  | "home"
  | "below_system"
  | "below_home"
  /** The directory that the session stands in, all of it. */
  | "tree"
  | "below_tree"
  /** The directory for temporary files, all of it. */
  | "temp"
  | "below_temp"
  | "device"
  | "elsewhere"
  /** Something named below a directory that is not known. */
  | "part"
  /** Not known before the command runs. */
  | "unknown";

const systemDirectories: readonly string[] = [
  "bin",
  "boot",
  "dev",
  "etc",
  "home",
  "lib",
  "lib32",
  "lib64",
  "libx32",
  "media",
  "mnt",
  "opt",
  "proc",
  "root",
  "run",
  "sbin",
  "srv",
  "sys",
  "usr",
  "var",
  "nix",
  "snap",
  "System",
  "Library",
  "Applications",
  "Users",
  "private",
  "Volumes",
  "cygdrive",
];

/** Where also everything one level deeper is the system's. */
const deepDirectories = new Set(["usr", "boot", "System", "Library"]);
const varDirectories = new Set(["lib", "log", "spool", "cache", "run", "mail", "backups", "db"]);
/** Where what lies below belongs to no system: a person's, or an application's. */
const sharedDirectories = new Set([
  "opt",
  "srv",
  "mnt",
  "media",
  "Volumes",
  "cygdrive",
  "nix",
  "Applications",
  "snap",
]);
const maximalPath = 16_384;
const all = /^[\uE001\uE002.]+$/u;

/** The path with its directory in front and `.`, `..`, `//` gone; marks stay. */
export function resolvePath(path: string, { cwd }: Pick<CommandPlace, "cwd">): string {
  const first = path.charAt(0);
  const isWhole = first === "/" || first === marks.home || first === marks.tree || first === marks.unknown;
  const named = isWhole ? path : `${cwd}/${path}`;
  // What lies beside a home that is not known by name lies where homes are.
  const isBeside = named.startsWith(marks.home) && named.includes("/..");
  const joined = isBeside ? `/home/${marks.unknown}${named.slice(1)}` : named;
  const kept: string[] = [];
  for (const part of joined.split("/")) {
    if (part === "" || part === ".") continue;
    const last = kept.at(-1);
    if (part !== "..") kept.push(part);
    else if (last === undefined || last === marks.tree || last === marks.home || last === marks.unknown) {
      if (last !== undefined) kept.splice(0, kept.length, `${marks.unknown}${marks.unknown}`);
    } else if (last !== `${marks.unknown}${marks.unknown}`) kept.pop();
  }
  // A process's view of the root is the root.
  if (joined.startsWith("/") && kept[0] === "proc" && kept[2] === "root") kept.splice(0, 3);
  return joined.startsWith("/") ? `/${kept.join("/")}` : kept.join("/");
}

/** Tells what kind of place a path of a command is. */
export function locate(path: string, place: CommandPlace): Location {
  if (path === "") return "elsewhere";
  // No system takes a longer one.
  if (path.length > maximalPath) return "unknown";
  const full = resolvePath(path, place);
  const parts = full.split("/").filter((part) => part !== "");
  // What ends in a wildcard for everything is all of the directory.
  const isAll = parts.length > 0 && all.test(parts.at(-1) ?? "") && (parts.at(-1) ?? "").includes(marks.star);
  const target = isAll ? parts.slice(0, -1) : parts;
  const fixed = fixedLocation(full.startsWith("/"), target, isAll);
  const home = homeLocation(target, full, place);
  if (fixed === "root" || fixed === "device" || fixed === "system") return fixed;
  if (home === "home") return "home";
  const tree = treeLocation(target, full, place);
  if (tree !== undefined) return tree;
  if (fixed !== undefined) return fixed;
  return home ?? "elsewhere";
}

function fixedLocation(isAbsolute: boolean, parts: readonly string[], isAll: boolean): Location | undefined {
  const [top, second, third] = parts;
  if (!isAbsolute) {
    if (top === undefined || !top.startsWith(marks.unknown)) return undefined;
    if (top === `${marks.unknown}${marks.unknown}`) return "elsewhere";
    return unknownLocation(parts, isAll);
  }
  if (top === undefined) return "root";
  if (top === marks.unknown) return "below_system";
  const isGlob = /[\uE000-\uE002]/u.test(top);
  const known = isGlob ? systemDirectories.find((name) => globMatches(top, name)) : top;
  if (known === "tmp") return parts.length > 1 ? "below_temp" : "temp";
  if (known === undefined || !systemDirectories.includes(known)) return undefined;
  if (known === "dev") return devLocation(parts);
  if (second === undefined) return "system";
  if (known === "var" && second === "tmp") return third === undefined ? "temp" : "below_temp";
  if (known === "var" && second === "folders") return "below_temp";
  if (known === "private" && (second === "tmp" || third === "tmp")) return "below_temp";
  if (known === "home" || known === "Users") {
    if (second === marks.unknown && parts.length > 2) return "below_home";
    return parts.length === 2 ? "home" : "below_home";
  }
  if (known === "root") return "below_home";
  if (parts.length === 2) {
    if (deepDirectories.has(known)) return "system";
    if (known === "var" && varDirectories.has(second)) return "system";
    if (known === "mnt" && /^[a-z]$/u.test(second)) return "system";
    if (known === "private" && (second === "etc" || second === "var")) return "system";
  }
  if (known === "mnt" && parts.length === 3 && /^(?:windows|users)$/iu.test(third ?? "")) return "system";
  return sharedDirectories.has(known) ? "elsewhere" : "below_system";
}

function devLocation(parts: readonly string[]): Location {
  const [, second, third] = parts;
  if (second === undefined) return "system";
  if (second === "shm") return third === undefined ? "temp" : "below_temp";
  return "device";
}

/** `$dir`, `$dir/`, `$dir/*`, `$dir/etc`: an unset variable makes it the root. `$dir/build` is a part of something. */
function unknownLocation(parts: readonly string[], isAll: boolean): Location {
  const [top, second] = parts;
  if (top !== marks.unknown) return "part";
  if (second === undefined || isAll) return "unknown";
  return systemDirectories.includes(second) ? "unknown" : "part";
}

function homeLocation(parts: readonly string[], full: string, { home }: CommandPlace): Location | undefined {
  if (parts[0] === marks.home) return parts.length === 1 ? "home" : "below_home";
  if (home === marks.home || home === "/") return undefined;
  const path = pathOf(parts, full);
  if (path === home) return "home";
  return path.startsWith(`${home}/`) ? "below_home" : undefined;
}

function treeLocation(parts: readonly string[], full: string, { tree }: CommandPlace): Location | undefined {
  const path = pathOf(parts, full);
  if (path === tree) return "tree";
  // Whoever stands in the root has nothing but system around.
  if (tree === "/" || tree === marks.home) return undefined;
  return path.startsWith(`${tree}/`) ? "below_tree" : undefined;
}

function pathOf(parts: readonly string[], full: string): string {
  return (full.startsWith("/") ? "/" : "") + parts.join("/");
}

const blockDevice =
  /^\/dev\/(?:[shv]d[a-z]|xvd[a-z]|nvme\d|mmcblk\d|disk(?:\d|\/)|rdisk\d|mapper\/|dm-\d|md\d|loop\d|zd\d|vg|sd[\uE000-\uE002]|nvme[\uE000-\uE002]|mem$|kmem$|port$)/u;

/** Whether a path is a disk or the memory. */
export function isBlockDevice(path: string): boolean {
  return (
    blockDevice.test(path) ||
    /^\/dev\/(?:[svh]d|nvme|disk|mmcblk)[\uE000-\uE002]/u.test(path) ||
    path === "/dev/\uE001"
  );
}

const coreDirectories = new Set([
  "bin",
  "boot",
  "dev",
  "etc",
  "lib",
  "lib64",
  "proc",
  "root",
  "run",
  "sbin",
  "sys",
  "usr",
  "var",
  "System",
]);

/** `/`, or a directory that the system runs from: narrower than the location `system`. */
export function isCoreDirectory(path: string, place: CommandPlace): boolean {
  const location = locate(path, place);
  if (location === "root") return true;
  if (location !== "system" && location !== "home") return false;
  const parts = resolvePath(path, place)
    .split("/")
    .filter((part) => part !== "" && !all.test(part));
  const [top = "", second] = parts;
  if (!coreDirectories.has(top)) return false;
  return second === undefined
    ? top !== "root" || location === "system"
    : top === "usr" && /^(?:s?bin|lib\d*)$/u.test(second);
}
