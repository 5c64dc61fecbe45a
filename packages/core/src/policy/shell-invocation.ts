/** Programs that read shell text. */
export const shellNames: ReadonlySet<string> = new Set([
  "sh",
  "bash",
  "dash",
  "zsh",
  "ksh",
  "mksh",
  "ash",
  "fish",
  "rbash",
  "csh",
  "tcsh",
]);

/** Where a shell's text comes from. */
export type ShellCode =
  | {
      readonly kind: "text";
      readonly text: string;
      readonly zero: string | undefined;
      readonly positionals: readonly string[];
    }
  | { readonly kind: "file"; readonly path: string; readonly positionals: readonly string[] }
  | { readonly kind: "stdin"; readonly positionals: readonly string[] }
  | { readonly kind: "none" };

/** Reads the words of `sh -c …`, `bash file`, `bash -s`. */
export function shellCode(words: readonly string[]): ShellCode {
  let wantsText = false;
  let readsStdin = false;
  let at = 1;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (word === "--" || word === "-") {
      at += 1;
      break;
    }
    if (word === "--version" || word === "--help") return { kind: "none" };
    if (word === "--rcfile" || word === "--init-file" || word === "-O" || word === "+O") at += 1;
    else if (word.startsWith("--")) continue;
    else if (/^[-+][A-Za-z]+$/u.test(word)) {
      if (word.startsWith("-") && word.includes("c")) wantsText = true;
      if (word.startsWith("-") && word.includes("s")) readsStdin = true;
      if (word.endsWith("o")) at += 1;
    } else break;
  }
  const rest = words.slice(at);
  if (wantsText) return { kind: "text", text: rest[0] ?? "", zero: rest[1], positionals: rest.slice(2) };
  if (readsStdin || rest.length === 0) return { kind: "stdin", positionals: rest };
  const [path = ""] = rest;
  if (/^\/dev\/(?:stdin|fd\/0)$|^\/proc\/self\/fd\/0$/u.test(path)) {
    return { kind: "stdin", positionals: rest.slice(1) };
  }
  return { kind: "file", path, positionals: rest.slice(1) };
}
