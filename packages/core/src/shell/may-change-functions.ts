/** Below this size functions are simply dumped after every command. */
const smallFunctionBytes = 2_000;

/** Words that run text this check cannot see, or that define a function without brackets. */
const changingWords = new Set([".", "source", "eval", "function"]);

/**
 * Whether a script could change the shell's functions. Dumping many functions costs more than running a short command,
 * so it is left out when it provably changes nothing: the script has no expansion that could make a command word, and
 * no word of it defines functions, runs unseen text, or is itself a function or an alias. In doubt, true.
 */
export function mayChangeFunctions(
  script: string,
  functions: ReadonlyMap<string, { readonly body: string }>,
  aliases: ReadonlyMap<string, string>,
): boolean {
  let bytes = 0;
  for (const { body } of functions.values()) bytes += body.length;
  if (bytes < smallFunctionBytes) return true;
  if (/[$`(){}*?[\]~!]|\\\n/.test(script)) return true;
  const words = script.replaceAll(/['"\\]/g, "").split(/[\s;&|<>=]+/);
  return words.some((word) => changingWords.has(word) || functions.has(word) || aliases.has(word));
}
