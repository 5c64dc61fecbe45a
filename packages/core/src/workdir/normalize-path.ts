import { isDrivePath } from "./paths.js";

/**
 * The lexical normal form of an absolute path: no `.`, `..`, double or trailing slash; drive paths with forward slashes
 * and an upper-case letter. For comparing only: where a link is on the way, `..` means something else to the kernel, so
 * the path that is handed to a sandbox stays as it was written.
 */
export function normalizePath(path: string): string {
  const drive = isDrivePath(path) ? path.slice(0, 2).toUpperCase() : "";
  const rest = drive === "" ? path : path.slice(2).replaceAll("\\", "/");
  const components: string[] = [];
  for (const component of rest.split("/")) {
    if (component === "" || component === ".") continue;
    if (component === "..") components.pop();
    else components.push(component);
  }
  return `${drive}/${components.join("/")}`;
}

/** Whether one absolute path is another or lies below it, by component: `/home/acme2` is not below `/home/acme`. */
export function isAtOrBelow(path: string, base: string): boolean {
  return pathBelow(path, base) !== null;
}

/**
 * What has to be appended to `base` to get to `path` (`""` or `/a/b`), both compared in normal form; null when `path` is
 * not below. Drive paths compare without regard to case, as Windows does.
 */
export function pathBelow(path: string, base: string): string | null {
  const normalPath = normalizePath(path);
  const normalBase = normalizePath(base);
  const prefix = normalBase.endsWith("/") ? normalBase : `${normalBase}/`;
  const fold = (text: string): string => (isDrivePath(normalBase) ? text.toLowerCase() : text);
  if (fold(`${normalPath}/`) === fold(prefix)) return "";
  if (fold(normalPath) === fold(normalBase)) return "";
  if (!fold(normalPath).startsWith(fold(prefix))) return null;
  return `/${normalPath.slice(prefix.length)}`;
}
