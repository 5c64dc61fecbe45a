/** Template tag for bash text inside TypeScript: raw (backslashes stay), but `\\${` stands for `${`. */
export function bashText(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return String.raw({ raw: parts.raw }, ...values).replaceAll("\\${", "${");
}

/** Like `bashText`, with lines joined by one space and comment lines dropped, so that the result is one line. */
export function bashLine(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return bashText(parts, ...values)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .join(" ");
}
