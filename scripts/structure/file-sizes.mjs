// @ts-check

const mostLines = 300;

/**
 * @param {import("./repository.mjs").Repository} repository
 * @returns {string[]}
 */
export function fileSizes({ packages }) {
  return packages.flatMap(({ folder, sources }) =>
    sources
      .filter((source) => source.lineCount > mostLines)
      .map((source) => `packages/${folder}/${source.name}: ${source.lineCount} lines; one idea a file`),
  );
}
