/** C0 and C1 but tab and newline, and the signs that turn the direction of writing. */
const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text that only shows itself: names of files, processes and plugins, and what a plugin says of its failure, are
 * somebody else's, and a control sequence in one would act on the terminal of who reads it.
 */
export function visibleText(text: string): string {
  return text.replaceAll(acting, (sign) => {
    const code = sign.charCodeAt(0);
    return code > 0xff ? `\\u${code.toString(16)}` : `\\x${code.toString(16).padStart(2, "0")}`;
  });
}
