import { commandWords } from "./command-words.js";

/** Below this size functions are simply dumped after every command. */
const smallFunctionBytes = 2_000;

/** Words that run text this check cannot see, or that define a function without brackets. */
const changingWords = new Set([".", "source", "eval", "function"]);

/** Builtins that neither define functions nor run text, whatever their arguments are. */
const harmlessBuiltins = new Set(
  ": [ [[ ]] } break cd continue dirs done echo exit false fi for getopts jobs kill popd printf pushd pwd read return select set shift shopt test times true type ulimit umask wait".split(
    " ",
  ),
);
/** All others, but for `export`, which is harmless without options. */
const otherBuiltins = new Set(
  "alias bg bind builtin caller command compgen complete compopt declare disown enable exec export fc fg hash help history let local logout mapfile readarray readonly suspend trap typeset unalias unset eval source .".split(
    " ",
  ),
);

/**
 * Whether a script could change the shell's functions. Dumping many functions costs more than running a short command,
 * so it is left out when it provably changes nothing. There are two proofs: no word of a plain script is a function, an
 * alias or one of the words above; or each command's name can be read off and is a harmless builtin or a program. In
 * doubt, true.
 */
export function mayChangeFunctions(
  script: string,
  functions: ReadonlyMap<string, { readonly body: string }>,
  aliases: ReadonlyMap<string, string>,
): boolean {
  let bytes = 0;
  for (const { body } of functions.values()) bytes += body.length;
  if (bytes < smallFunctionBytes) return true;
  const isOwn = (word: string): boolean => functions.has(word) || aliases.has(word);
  if (!/[$`(){}*?[\]~!]|\\\n/.test(script)) {
    const words = script.replaceAll(/['"\\]/g, "").split(/[\s;&|<>=]+/);
    if (!words.some((word) => changingWords.has(word) || isOwn(word))) return false;
  }
  const commands = commandWords(script);
  return commands === undefined || commands.some(({ word, rest }) => isOwn(word) || !isHarmless(word, rest));
}

function isHarmless(word: string, rest: string): boolean {
  if (harmlessBuiltins.has(word)) return true;
  if (word === "export") return !/\s-|\$/.test(rest);
  return !otherBuiltins.has(word);
}
