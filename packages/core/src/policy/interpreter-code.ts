/** Where an interpreter's program comes from. Undefined: not an interpreter. */
export type InterpreterCode =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "stdin" }
  | { readonly kind: "none" };

interface Interpreter {
  /** Option whose value is the program. */
  readonly code: RegExp;
  /** Options that take a value which is none. */
  readonly valued: RegExp;
  /** Options that mean that the program is somewhere else: `python -m`. */
  readonly elsewhere: RegExp;
}

const none = /^$/u;
const python: Interpreter = {
  code: /^-[a-zA-Z]*c$/u,
  valued: /^-[WX]$/u,
  elsewhere: /^-[a-zA-Z]*m|^-V|^--/u,
};
const node: Interpreter = {
  code: /^(?:-e|-p|-pe|--eval|--print)$/u,
  valued: /^(?:-r|--require|--import|--loader)$/u,
  elsewhere: /^--?(?:v|version|test|check|c|h|help)$/u,
};

const interpreters: readonly (readonly [RegExp, Interpreter])[] = [
  [/^(?:python|pypy)[\d.]*$/u, python],
  [/^perl[\d.]*$/u, { code: /^-[a-zA-Z0-9]*[eE]$/u, valued: /^-I$/u, elsewhere: /^-v$/u }],
  [/^ruby[\d.]*$/u, { code: /^-[a-zA-Z]*e$/u, valued: /^-[Ir]$/u, elsewhere: /^-{1,2}v/u }],
  [/^(?:node|nodejs|bun|deno)$/u, node],
  [/^php[\d.]*$/u, { code: /^-r$/u, valued: /^-[cd]$/u, elsewhere: /^-[vimS]$/u }],
  [/^lua(?:jit)?[\d.]*$/u, { code: /^-e$/u, valued: none, elsewhere: /^-v$/u }],
  [/^osascript$/u, { code: /^-e$/u, valued: /^-l$/u, elsewhere: none }],
];

/** Reads the words of `python -c …`, `perl -e …`, `node file`, `awk …`. */
export function interpreterCode(name: string, words: readonly string[]): InterpreterCode | undefined {
  if (/^[gmn]?awk$/u.test(name)) return awkCode(words);
  const found = interpreters.find(([pattern]) => pattern.test(name))?.[1];
  if (found === undefined) return undefined;
  const codes: string[] = [];
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (word === "-") return { kind: "stdin" };
    if (found.code.test(word)) {
      codes.push(words[at + 1] ?? "");
      at += 1;
    } else if (/^--(?:eval|print)=/u.test(word)) codes.push(word.slice(word.indexOf("=") + 1));
    else if (name === "deno" && word === "eval") codes.push(words[at + 1] ?? "");
    else if (found.valued.test(word)) at += 1;
    else if (found.elsewhere.test(word))
      return codes.length > 0 ? { kind: "text", text: codes.join("\n") } : { kind: "none" };
    else if (!word.startsWith("-")) {
      if (codes.length > 0) break;
      return word === "/dev/stdin" ? { kind: "stdin" } : { kind: "file", path: word };
    }
  }
  return codes.length > 0 ? { kind: "text", text: codes.join("\n") } : { kind: "stdin" };
}

function awkCode(words: readonly string[]): InterpreterCode {
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (/^-[vF]$/u.test(word)) at += 1;
    else if (word === "-f") return { kind: "file", path: words[at + 1] ?? "" };
    else if (!word.startsWith("-")) return { kind: "text", text: word };
  }
  return { kind: "none" };
}
