// @ts-check

/**
 * Lines of a table, its columns as wide as they need to be.
 *
 * @param {readonly { label: string, isRight?: boolean }[]} columns
 * @param {readonly (readonly string[])[]} rows
 * @returns {string[]}
 */
export function formatTable(columns, rows) {
  const widths = columns.map(({ label }, at) =>
    Math.max(label.length, ...rows.map((row) => row[at]?.length ?? 0)),
  );
  /** @param {readonly string[]} cells */
  const line = (cells) =>
    cells
      .map((cell, at) => {
        const width = widths[at] ?? 0;
        return columns[at]?.isRight === true ? cell.padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd();
  const rule = widths.map((width) => "-".repeat(width));
  return [columns.map(({ label }) => label), rule, ...rows].map((cells) => `  ${line(cells)}`);
}
