import { conformanceGroups } from "./case.js";
import type { CaseRecord, CaseStatus, ConformanceReport } from "./report.js";

export interface FormatReportOptions {
  /** ANSI colours. Default false. */
  readonly color?: boolean | undefined;
  /** Name passed cases one by one, too; else a group says how many. Default false. */
  readonly verbose?: boolean | undefined;
}

const labels: Readonly<Record<CaseStatus, { readonly word: string; readonly colour: number }>> = {
  passed: { word: "passed", colour: 32 },
  failed: { word: "FAILED", colour: 31 },
  unsupported: { word: "unsupported", colour: 33 },
  skipped: { word: "skipped", colour: 2 },
};

/** The report as a table for people: a block per group, failures with their reason and rule, the sum at the end. */
export function formatReport(report: ConformanceReport, options: FormatReportOptions = {}): string {
  const paint = (text: string, colour: number): string =>
    options.color === true ? `\u001B[${colour}m${text}\u001B[0m` : text;
  const lines: string[] = [];
  for (const group of conformanceGroups) {
    const records = report.cases.filter((record) => record.group === group);
    if (records.length === 0) continue;
    lines.push(groupLine(group, records, paint));
    for (const record of records) {
      if (record.status === "passed" && options.verbose !== true) continue;
      const { word, colour } = labels[record.status];
      lines.push(`  ${paint(word.padEnd(12), colour)}${record.id}  ${record.title} (${record.rule})`);
      if (record.message !== undefined)
        lines.push(`              ${record.message.replaceAll("\n", "\n              ")}`);
    }
  }
  const { passed, failed, unsupported, skipped, total } = report.summary;
  const limit = report.allowed === null ? "" : ` (${report.allowed} allowed)`;
  lines.push("", ...report.problems.map((problem) => paint(problem, labels.failed.colour)));
  lines.push(
    `${report.backend}: ${paint(`${passed} passed`, passed > 0 ? 32 : 0)}, ` +
      `${paint(`${failed} failed`, failed > 0 ? 31 : 0)}, ` +
      `${unsupported} unsupported${limit}, ${skipped} skipped, ${total} in all`,
  );
  return `${lines.join("\n")}\n`;
}

function groupLine(
  group: string,
  records: readonly CaseRecord[],
  paint: (text: string, colour: number) => string,
): string {
  const passed = records.filter(({ status }) => status === "passed").length;
  const seconds = (records.reduce((sum, { ms }) => sum + ms, 0) / 1_000).toFixed(1);
  const count = `${String(passed).padStart(3)} of ${String(records.length).padEnd(3)} passed`;
  return `${paint(group.padEnd(14), 1)}${count} ${seconds.padStart(7)} s`;
}
