import { InvalidArgumentError } from "@talaria/core";

/** One side of a copy, as it stands on the command line. */
export type CopySide =
  /** stdin as a source, stdout as a target. */
  | { readonly kind: "stream" }
  | { readonly kind: "host"; readonly path: string }
  /** `session` undefined: the one that `--session` and `--backend` choose. */
  | { readonly kind: "sandbox"; readonly session: string | undefined; readonly path: string };

/**
 * Reads one side: `-`, `host:PATH`, `sandbox:PATH` or `SESSION:PATH`. Without a name before the first colon it is a path on
 * the host, as for `scp` and `docker cp`; so is a path whose first colon comes after a slash (`./a:b`).
 */
export function readCopySide(word: string): CopySide {
  if (word === "-") return { kind: "stream" };
  const [, name, path] = /^([^/:]*):(.*)$/s.exec(word) ?? [];
  if (name === undefined || path === undefined) {
    if (word === "") throw unusable(word, "it is empty");
    return { kind: "host", path: word };
  }
  if (name === "") throw unusable(word, "no session is named before the colon");
  if (path === "") throw unusable(word, "there is no path after the colon");
  if (name === "host") return { kind: "host", path };
  if (name === "sandbox") return { kind: "sandbox", session: undefined, path };
  return { kind: "sandbox", session: name, path };
}

/** A side as a person writes it. */
export function showCopySide(side: CopySide): string {
  if (side.kind === "stream") return "-";
  return side.kind === "host" ? `host:${side.path}` : `${side.session ?? "sandbox"}:${side.path}`;
}

function unusable(word: string, why: string): InvalidArgumentError {
  return new InvalidArgumentError("path", `"${word}" is no side of a copy: ${why}`, {
    operation: "files.cp",
    hint: "write host:PATH, sandbox:PATH, SESSION:PATH or - ; a host path with a colon in it as ./a:b",
  });
}
