import { plainCharacters } from "./look-alike-characters.js";

/** What of a line counts when two are compared. */
export type LineKey = (line: string) => string;

/** The whole line. */
export const wholeLine: LineKey = (line) => line;

/** The line without white space at its end. */
export const trimmedLine: LineKey = (line) => line.trimEnd();

/** As `trimmedLine`, and white space within counts as one space however much it is. The indentation counts. */
export const foldedLine: LineKey = (line) => {
  const indentation = indentationOf(line);
  return indentation + foldSpace(line.slice(indentation.length).trimEnd());
};

/** As `foldedLine`, without the indentation. */
export const unindentedLine: LineKey = (line) => foldSpace(line.trim());

/** As `unindentedLine`, with look-alikes in their plain form. */
export const plainLine: LineKey = (line) => unindentedLine(plainCharacters(line));

/** Spaces and tabs at the beginning of a line. */
export function indentationOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

function foldSpace(text: string): string {
  return text.replace(/\s+/g, " ");
}
