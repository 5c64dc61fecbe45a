/** What a command wrote, as lines of a step. */
export function shownOutput(output: string): string[] {
  return output
    .trimEnd()
    .split("\n")
    .map((line) => `  ${line}`);
}
