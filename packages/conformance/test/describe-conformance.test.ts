import { describe, expect, it } from "vitest";
import { conformanceCases, describeConformance, type RunningTest } from "../src/index.js";
import { plainBash } from "./plain-bash.js";

interface DeclaredTest {
  readonly name: string;
  readonly body: (test: RunningTest) => Promise<void>;
}

/** A test framework that only takes note. */
class NotingFramework {
  readonly groups: string[] = [];
  readonly tests: DeclaredTest[] = [];
  readonly endings: (() => Promise<void>)[] = [];
  readonly skips: string[] = [];
  readonly describe = (name: string, body: () => void): void => {
    this.groups.push(name);
    body();
  };
  readonly it = (name: string, body: DeclaredTest["body"]): void => {
    this.tests.push({ name, body });
  };
  readonly afterAll = (body: () => Promise<void>): void => {
    this.endings.push(body);
  };

  async run(): Promise<readonly string[]> {
    const outcomes: string[] = [];
    const skip = (note?: string): void => {
      this.skips.push(note ?? "");
    };
    for (const { body } of this.tests) {
      outcomes.push(await body({ skip }).then(() => "fine", String));
    }
    for (const ending of this.endings) await ending();
    return outcomes;
  }
}

describe("the adapter for test frameworks", () => {
  it("declares a test per case, in groups, and one for the count", () => {
    const framework = new NotingFramework();
    describeConformance(framework, () => plainBash());
    expect(framework.tests).toHaveLength(conformanceCases.length + 1);
    expect(framework.groups.slice(0, 3)).toEqual(["conformance", "outcome", "completion"]);
    const [first] = conformanceCases;
    expect(framework.tests[0]?.name).toBe(`${first?.title} [${first?.id}]`);
  });

  it("touches the backend only when a test runs", () => {
    const touched = (): never => {
      throw new Error("the backend was touched");
    };
    expect(() => describeConformance(new NotingFramework(), touched)).not.toThrow();
  });

  it("passes, skips and fails as the cases do", async () => {
    const framework = new NotingFramework();
    const ids = ["outcome.zero", "output.ansi", "stdin.text"];
    const stripped = plainBash({
      answer: ({ output, exitCode }) => ({ output: output.replaceAll("\u001B", ""), exitCode }),
    });
    describeConformance(framework, () => stripped, { ids, allowedUnsupported: 0 });
    const [zero, ansi, text, count] = await framework.run();
    expect([zero, text]).toEqual(["fine", "fine"]);
    expect(ansi).toContain("output.ansi (field 7.6, output): output of the command: expected");
    expect(framework.skips).toEqual(["unsupported: The backend does not declare: stdin."]);
    expect(count).toContain("1 cases are unsupported");
  });
});
