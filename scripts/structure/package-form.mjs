// @ts-check

const headings = ["Install", "Example", "Options", "Limits", "Licence"];
const backendHeadings = ["Install", "Example", "Declares", "Options", "Limits", "Licence"];

/**
 * The README form of the project: one line of purpose, then the headings, each with something under it.
 *
 * @param {import("./repository.mjs").Repository} repository
 * @returns {string[]}
 */
export function packageForm({ packages }) {
  return packages.flatMap((entry) => {
    const at = `packages/${entry.folder}`;
    const missing = ["README.md", "CHANGELOG.md", "LICENSE"].filter((name) => entry.read(name) === undefined);
    const wanted = entry.folder.startsWith("backend-") ? backendHeadings : headings;
    return [
      ...missing.map((name) => `${at}/${name}: missing`),
      ...readmeProblems(entry.read("README.md") ?? "", wanted).map(
        (problem) => `${at}/README.md: ${problem}`,
      ),
    ];
  });
}

/**
 * @param {string} text
 * @param {readonly string[]} wanted
 * @returns {string[]}
 */
function readmeProblems(text, wanted) {
  const [opening = "", ...sections] = text.split(/^## /m);
  const bodies = new Map(
    sections.map((section) => {
      const end = section.indexOf("\n");
      return [section.slice(0, end).trim(), section.slice(end).trim()];
    }),
  );
  const found = [...bodies.keys()].filter((name) => wanted.includes(name));
  return [
    ...(/^> \S/m.test(opening) ? [] : ["no line of purpose (a `> …` under the title)"]),
    ...wanted.filter((name) => !bodies.has(name)).map((name) => `no section "${name}"`),
    ...found.filter((name) => bodies.get(name) === "").map((name) => `section "${name}" is empty`),
    ...(found.join() === wanted.filter((name) => found.includes(name)).join()
      ? []
      : [`sections out of order: ${wanted.join(", ")}`]),
  ];
}
