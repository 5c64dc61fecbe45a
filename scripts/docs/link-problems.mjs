// @ts-check
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { readPage } from "./markdown-page.mjs";

/**
 * Relative links of a page that lead nowhere: no such file, or no such heading in it.
 *
 * @param {string} root
 * @param {string} file from the root
 * @returns {readonly string[]}
 */
export function linkProblems(root, file) {
  const { prose } = readPage(readFileSync(path.join(root, file), "utf8"));
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = ""]) => {
    if (/^[a-z]+:/.test(target)) return [];
    const [name = "", anchor] = target.split("#");
    const linked = name === "" ? file : path.join(path.dirname(file), name);
    if (!existsSync(path.join(root, linked))) return [`${file}: ${target}: no such file`];
    if (anchor === undefined || anchorsOf(path.join(root, linked)).has(anchor)) return [];
    return [`${file}: ${target}: no such heading`];
  });
}

/**
 * The anchors that a renderer gives to the headings of a page.
 *
 * @param {string} file
 */
function anchorsOf(file) {
  const { prose } = readPage(readFileSync(file, "utf8"));
  return new Set(
    [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}
