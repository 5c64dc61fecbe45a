import { describe, expect, it } from "vitest";
import { processStarts } from "../structure/process-starts.mjs";

/** A repository of one file that imports `node:child_process`. */
function problemsOf(folder: string, name: string, text: string): string[] {
  const source = { name, lineCount: 1, imports: [{ specifier: "node:child_process", isTypeOnly: false }] };
  const pkg = { folder, manifest: {}, sources: [source], tests: [], read: () => text };
  return processStarts({ packages: [pkg], files: [] });
}

describe("processStarts", () => {
  it("refuses a file that is not on the list", () => {
    expect(problemsOf("core", "src/files/new.ts", "spawn('x', [], { env: {} })").join()).toContain("not in");
  });

  it("refuses a call that names no environment", () => {
    const [problem] = problemsOf(
      "backend-local",
      "src/account/account.ts",
      'execFile("getent", [f("(")], () => {})',
    );
    expect(problem).toContain("without naming its environment");
  });

  it("has nothing against one that does", () => {
    const text = 'execFile("getent", ["passwd"], { env: helperEnvironment() }, () => {})';
    expect(problemsOf("backend-local", "src/account/account.ts", text)).toEqual([]);
  });
});
