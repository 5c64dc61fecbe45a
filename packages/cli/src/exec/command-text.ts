import { InvalidArgumentError, shellQuoteWords } from "@talaria/core";

/**
 * The shell text of the words after `--`. One word is shell text as it stands; several are the words of one command,
 * each quoted, so that no shell reads them a second time.
 */
export function commandText(words: readonly string[]): string {
  const [first] = words;
  if (first === undefined || (words.length === 1 && first.trim() === "")) {
    throw new InvalidArgumentError("command", "there is no command to run", {
      operation: "exec",
      hint: "give it after --, for example: talaria exec -- 'ls -l'",
    });
  }
  return words.length === 1 ? first : shellQuoteWords(words);
}
