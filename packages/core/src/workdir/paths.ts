import { InvalidArgumentError } from "../errors/errors.js";

declare const hostPath: unique symbol;
declare const sandboxPath: unique symbol;

/** An absolute path on the machine Talaria runs on. */
export type HostPath = string & { readonly [hostPath]: true };
/**
 * An absolute POSIX path inside a sandbox. Becomes a HostPath only through the mount table. Bytes of a name that are no
 * UTF-8 stand in it as lone surrogates, U+DC80 to U+DCFF.
 */
export type SandboxPath = string & { readonly [sandboxPath]: true };

/** Brands an absolute POSIX path as a path inside the sandbox. Throws InvalidArgumentError when it is not absolute. */
export function asSandboxPath(path: string): SandboxPath {
  if (!path.startsWith("/")) {
    throw new InvalidArgumentError("path", `"${path}" is not an absolute path inside the sandbox`);
  }
  return path as SandboxPath;
}

/**
 * Brands an absolute path of this machine: `/…`, or a Windows drive path (`C:\…`, `C:/…`). Throws InvalidArgumentError
 * when it is neither.
 */
export function asHostPath(path: string): HostPath {
  if (!path.startsWith("/") && !isDrivePath(path)) {
    throw new InvalidArgumentError("path", `"${path}" is not an absolute path on this machine`);
  }
  return path as HostPath;
}

/** True for `X:\…` and `X:/…`. */
export function isDrivePath(path: string): boolean {
  return /^[A-Za-z]:[\\/]/.test(path);
}
