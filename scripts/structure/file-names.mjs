// @ts-check

const checkedFolders = /^(packages|scripts|testbed|bench|docs)\//;
const namesOfOwn = new Set(["README.md", "CHANGELOG.md", "LICENSE"]);
const kebabCase = /^\.?[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)*$/;
/** Names that say nothing, and so collect leftovers. */
const leftovers = /^(utils?|helpers?|common|misc|types|shared)\.[cm]?[jt]s$/;

/**
 * @param {import("./repository.mjs").Repository} repository
 * @returns {string[]}
 */
export function fileNames({ files }) {
  return files
    .filter((file) => checkedFolders.test(file))
    .flatMap((file) => {
      const name = file.slice(file.lastIndexOf("/") + 1);
      if (namesOfOwn.has(name)) return [];
      if (leftovers.test(name)) return [`${file}: name it after the one idea it holds`];
      const parts = file.split("/");
      return parts.every((part) => kebabCase.test(part)) ? [] : [`${file}: not kebab-case`];
    });
}
