/**
 * Characters that stand for what the shell would put into a word, in the place where it would be. They are of Unicode's
 * private area, so that a text with them can be read as shell text again; a text that comes with them loses them first.
 */
export const marks = {
  /** Any text: what is not known before the command runs. */
  unknown: "\uE000",
  /** An unquoted `*`. */
  star: "\uE001",
  /** An unquoted `?` or `[…]`. */
  question: "\uE002",
  /** Where the shell splits a word in two. */
  split: "\uE003",
  /** The home directory. */
  home: "\uE004",
  /** The directory that the session stands in, when it is not known by name. */
  tree: "\uE005",
} as const;

const markPattern = /[\uE000-\uE005]/gu;

/** Takes marks, and NUL, which a shell drops, out of a text from outside. */
export function withoutMarks(text: string): string {
  return text.includes("\0") || /[\uE000-\uE005]/u.test(text)
    ? text.replaceAll("\0", "").replace(markPattern, "\uFFFD")
    : text;
}

/** The text for a reader, and for being parsed again. */
export function showMarks(text: string): string {
  return text.replace(markPattern, (mark) => {
    switch (mark) {
      case marks.star:
        return "*";
      case marks.question:
        return "?";
      case marks.split:
        return " ";
      case marks.home:
        return "~";
      case marks.tree:
        return ".";
      default:
        return "…";
    }
  });
}

/** As shell text: globs and borders of words as they are written, the rest of the marks kept. */
export function toShellText(text: string): string {
  return text.replaceAll(marks.star, "*").replaceAll(marks.question, "?").replaceAll(marks.split, " ");
}

/** Whether all of the text is unknown. */
export function isUnknown(text: string): boolean {
  return text !== "" && text.replaceAll(marks.unknown, "").trim() === "";
}

export function hasUnknown(text: string): boolean {
  return text.includes(marks.unknown);
}

/** The value of an unquoted expansion: split at blanks, or at what IFS says, its wildcards alive. */
export function asUnquoted(value: string, separators = " \t\n"): string {
  const pattern =
    separators === " \t\n" ? /[ \t\n]+/gu : new RegExp(`[${separators.replace(/[\\\]^-]/gu, "\\$&")}]`, "gu");
  return (separators === "" ? value : value.replace(pattern, marks.split))
    .replaceAll("*", marks.star)
    .replaceAll("?", marks.question);
}

/** Whether a word with wildcards can stand for a name. */
export function globMatches(pattern: string, name: string): boolean {
  if (!/[\uE000-\uE002]/u.test(pattern)) return pattern === name;
  // Two pointers: linear in practice, quadratic at worst, and words are short.
  let at = 0;
  let nameAt = 0;
  let starAt = -1;
  let starName = 0;
  while (nameAt < name.length) {
    const wanted = pattern[at];
    if (wanted === marks.star || wanted === marks.unknown) {
      starAt = at;
      starName = nameAt;
      at += 1;
    } else if (wanted !== undefined && (wanted === marks.question || wanted === name[nameAt])) {
      at += 1;
      nameAt += 1;
    } else if (starAt >= 0) {
      at = starAt + 1;
      starName += 1;
      nameAt = starName;
    } else {
      return false;
    }
  }
  while (pattern[at] === marks.star || pattern[at] === marks.unknown) at += 1;
  return at === pattern.length;
}
