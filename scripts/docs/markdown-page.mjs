// @ts-check

/**
 * A fenced block of a page.
 *
 * @typedef {object} Block
 * @property {string} language
 * @property {string | undefined} file the word after the language: where the text belongs
 * @property {string} text
 * @property {number} line of the opening fence, from 1
 */

/**
 * @typedef {object} Page
 * @property {readonly Block[]} blocks
 * @property {string} prose the page with the inside of its blocks left out; its lines keep their numbers
 */

/**
 * Reads the parts of Markdown that the documentation uses.
 *
 * @param {string} text
 * @returns {Page}
 */
export function readPage(text) {
  /** @type {Block[]} */
  const blocks = [];
  /** @type {string[]} */
  const prose = [];
  /** @type {{ fence: string, info: string, line: number, lines: string[] } | undefined} */
  let open;
  for (const [index, line] of text.split("\n").entries()) {
    prose.push(open === undefined && !line.startsWith("```") ? line : "");
    if (open === undefined) {
      const [, fence, info] = /^(`{3,})(.*)$/.exec(line) ?? [];
      if (fence !== undefined) open = { fence, info: info ?? "", line: index + 1, lines: [] };
    } else if (line === open.fence) {
      const [language = "", file] = open.info.trim().split(/\s+/);
      blocks.push({ language, file, text: open.lines.map((each) => `${each}\n`).join(""), line: open.line });
      open = undefined;
    } else {
      open.lines.push(line);
    }
  }
  if (open !== undefined) throw new Error(`the block opened in line ${open.line} is never closed`);
  return { blocks, prose: prose.join("\n") };
}
