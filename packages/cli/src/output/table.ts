import type { Look } from "./style.js";
import { visibleText } from "./visible-text.js";

/** One cell: its text, and how it looks. The look never counts for the width. */
export interface Cell {
  readonly text: string;
  readonly look?: Look | undefined;
}

/** Lines of a table whose columns are as wide as their widest cell. The last column is not padded. */
export function formatTable(rows: readonly (readonly (Cell | string)[])[], indent = ""): string[] {
  const cells = rows.map((row) =>
    row.map((cell): Cell => {
      const { text, look } = typeof cell === "string" ? { text: cell, look: undefined } : cell;
      // A line each: a newline in a name must not make a row of its own.
      return { text: visibleText(text).replaceAll("\n", "\\n"), look };
    }),
  );
  const widths: number[] = [];
  for (const row of cells) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, cell.text.length);
    }
  }
  return cells.map((row) => {
    const parts = row.map((cell: Cell, column) => {
      const padding = column === row.length - 1 ? "" : " ".repeat((widths[column] ?? 0) - cell.text.length);
      return (cell.look?.(cell.text) ?? cell.text) + padding;
    });
    return `${indent}${parts.join("  ")}`.trimEnd();
  });
}
