/**
 * Whether a text is what a pattern describes: `*` any text, `?` one character, a backslash takes either's meaning away.
 * All of the text counts. Never slower than the product of both lengths.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  let at = 0;
  let textAt = 0;
  let starAt = -1;
  let starText = 0;
  while (textAt < text.length) {
    const char = pattern[at];
    const isEscaped = char === "\\" && at + 1 < pattern.length;
    const wanted = isEscaped ? pattern[at + 1] : char;
    if (char === "*") {
      starAt = at;
      starText = textAt;
      at += 1;
    } else if (wanted !== undefined && ((char === "?" && !isEscaped) || wanted === text[textAt])) {
      at += isEscaped ? 2 : 1;
      textAt += 1;
    } else if (starAt >= 0) {
      at = starAt + 1;
      starText += 1;
      textAt = starText;
    } else {
      return false;
    }
  }
  while (pattern[at] === "*") at += 1;
  return at === pattern.length;
}

/** A text as the pattern that only it matches. */
export function exactPattern(text: string): string {
  return text.replace(/[\\*?]/gu, "\\$&");
}

/** Whether a pattern stands for one text only. */
export function isExact(pattern: string): boolean {
  return !/(?:^|[^\\])(?:\\\\)*[*?]/u.test(pattern);
}
