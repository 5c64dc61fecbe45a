// @ts-check

/**
 * What a reader who follows a page does, in order.
 *
 * @typedef {{ kind: "file", file: string, text: string, line: number }
 *   | { kind: "run", file: string, shown: string | undefined, line: number }
 *   | { kind: "command", command: string, shown: string, line: number }} Step
 */

const scripts = new Set(["js", "javascript"]);

/**
 * A block with a file name is written there. One of JavaScript is run as well, and what a `text` block right behind it
 * shows is what it prints. A `console` block holds commands behind `$ ` and what they print.
 *
 * @param {readonly import("./markdown-page.mjs").Block[]} blocks
 * @returns {readonly Step[]}
 */
export function pageSteps(blocks) {
  return blocks.flatMap(({ language, file, text, line }, index) => {
    if (language === "console") return commandsOf(text, line);
    const isScript = scripts.has(language);
    if (!isScript && file === undefined) return [];
    const name = file ?? `example-${line}.mjs`;
    const next = blocks[index + 1];
    /** @type {Step[]} */
    const steps = [{ kind: "file", file: name, text, line }];
    if (isScript) {
      steps.push({ kind: "run", file: name, shown: next?.language === "text" ? next.text : undefined, line });
    }
    return steps;
  });
}

/**
 * @param {string} text
 * @param {number} blockLine
 * @returns {Step[]}
 */
function commandsOf(text, blockLine) {
  /** @type {{ kind: "command", command: string, shown: string, line: number }[]} */
  const steps = [];
  for (const [index, line] of text.trimEnd().split("\n").entries()) {
    const last = steps.at(-1);
    if (line.startsWith("$ ")) {
      steps.push({ kind: "command", command: line.slice(2), shown: "", line: blockLine + 1 + index });
    } else if (last === undefined) {
      throw new Error(`line ${blockLine + 1 + index}: a console block begins with a command ("$ …")`);
    } else {
      last.shown += `${line}\n`;
    }
  }
  return steps;
}
