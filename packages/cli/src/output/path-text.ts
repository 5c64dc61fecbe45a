import { visibleText } from "./visible-text.js";

/** What stands in core's strings for a byte of a name that is no UTF-8: U+DC80 to U+DCFF. */
const loneByte = /[\udc80-\udcff]/;
const pieces = /[\udc80-\udcff]|[^\udc80-\udcff]+/gu;

/** A path as the sandbox has it, byte by byte. */
export function pathBytes(path: string): Buffer {
  if (!loneByte.test(path)) return Buffer.from(path);
  const parts = [...path.matchAll(pieces)].map(([piece]) => {
    const code = piece.charCodeAt(0);
    return piece.length === 1 && code >= 0xdc80 && code <= 0xdcff
      ? Buffer.from([code - 0xdc00])
      : Buffer.from(piece);
  });
  return Buffer.concat(parts);
}

/** A path as a member of a document: `name`, or `name_base64` where its bytes are no UTF-8. */
export function pathMember(name: string, path: string): Record<string, string> {
  const bytes = pathBytes(path);
  return bytes.equals(Buffer.from(path))
    ? { [name]: path }
    : { [`${name}_base64`]: bytes.toString("base64") };
}

/** A path on one line of a terminal: what would act on it, and what it could not show, is escaped. */
export function visiblePath(path: string): string {
  const shown = visibleText(path).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
  return shown.replaceAll(
    /(?<![\ud800-\udbff])[\udc80-\udcff]/g,
    (sign) => `\\x${(sign.charCodeAt(0) - 0xdc00).toString(16)}`,
  );
}
