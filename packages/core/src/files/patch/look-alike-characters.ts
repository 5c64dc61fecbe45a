/**
 * Characters that people and models mix up, and what they look like: one UTF-16 unit for one, so that a place in the
 * plain text is the same place in the text itself.
 */
const lookAlikes: readonly (readonly [plain: string, pattern: RegExp])[] = [
  ["'", /[\u2018\u2019\u201A\u201B\u2032\u2035\u02B9\u02BC\u00B4\uFF07]/g],
  ['"', /[\u201C\u201D\u201E\u201F\u2033\u2036\u00AB\u00BB\uFF02]/g],
  ["-", /[\u2010-\u2015\u2212\u00AD\uFE58\uFE63\uFF0D]/g],
  [" ", /[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/g],
];

const anyLookAlike = /[^\0-\u007F]/;

/** The text with look-alikes in their plain form, as long as before. */
export function plainCharacters(text: string): string {
  if (!anyLookAlike.test(text)) return text;
  let plain = text;
  for (const [character, pattern] of lookAlikes) plain = plain.replace(pattern, character);
  return plain;
}
