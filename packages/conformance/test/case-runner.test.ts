import { afterEach, describe, expect, it } from "vitest";
import { CaseRunner } from "../src/case-runner.js";
import { casesOf, type CaseDefinition, type ConformanceCase } from "../src/case.js";
import { resolveTarget } from "../src/target.js";
import { SpawningEnvironment } from "./spawning-environment.js";

const endings: (() => Promise<void>)[] = [];

async function newRunner(): Promise<CaseRunner> {
  const target = await resolveTarget(() => new SpawningEnvironment(), true);
  const runner = new CaseRunner(target, { long: false, slowness: 1, differences: new Map() });
  endings.push(
    () => runner.close(),
    () => target.close(),
  );
  return runner;
}

function caseOf(definition: Partial<CaseDefinition>): ConformanceCase {
  const whole = { title: "a case", rule: "SPEC 3.1", run: () => Promise.resolve(), ...definition };
  const [made] = casesOf("outcome", { made: whole });
  if (made === undefined) throw new Error("no case was made");
  return made;
}

describe("the running of a case", () => {
  afterEach(async () => {
    for (const end of endings.splice(0)) await end();
  });

  it("fails one that asserts nothing", async () => {
    const record = await (await newRunner()).run(caseOf({}));
    expect(record.status).toBe("failed");
    expect(record.message).toContain("made no assertion");
  });

  it("fails one that is not over at its deadline, and says what it waited for", async () => {
    const runner = await newRunner();
    const stuck = caseOf({
      deadlineMs: 600,
      run: async ({ session }) => void (await session.execute("sleep 60")),
    });
    const record = await runner.run(stuck);
    expect(record.message).toBe("not finished after 600 ms; waited for execute('sleep 60')");
    const fine = caseOf({
      run: async ({ check, session }) => check.exited(await session.execute("true"), 0),
    });
    expect((await runner.run(fine)).status).toBe("passed");
  });

  it("skips a long one unless it was asked for", async () => {
    const record = await (await newRunner()).run(caseOf({ long: true }));
    expect([record.status, record.ms]).toEqual(["skipped", 0]);
  });

  it("does not run one that needs what is not declared or not there", async () => {
    const runner = await newRunner();
    const undeclared = await runner.run(caseOf({ needs: ["tty", "snapshot"] }));
    expect([undeclared.status, undeclared.message]).toEqual([
      "unsupported",
      "The backend does not declare: tty, snapshot.",
    ]);
    const missing = await runner.run(caseOf({ run: ({ needsProgram }) => needsProgram("no-such-program") }));
    expect([missing.status, missing.message]).toEqual([
      "unsupported",
      'The program "no-such-program" is not in the sandbox.',
    ]);
  });

  it("ends what a case has started and removes what it has made, also when it failed", async () => {
    const runner = await newRunner();
    let [mark, folder] = ["", ""];
    const untidy = caseOf({
      async run(context) {
        mark = context.mark();
        folder = await context.folder();
        await context.session.execute(`sleep ${mark} &`);
        context.check.that(await context.processes.isAlive(mark), "expected the process to be seen");
        context.check.fail("on purpose");
      },
    });
    expect((await runner.run(untidy)).message).toBe("on purpose");
    const look = caseOf({
      async run({ check, processes, observer }) {
        check.equal(await processes.withMark(mark), [], "processes of the case before");
        check.exited(await observer.execute(`[ -e ${folder} ]`), 1, "looking for its folder");
      },
    });
    expect(await runner.run(look)).toMatchObject({ status: "passed" });
  });

  it("reports an error that is no failed check by its name", async () => {
    const broken = caseOf({ run: () => Promise.reject(new TypeError("no such thing")) });
    expect((await (await newRunner()).run(broken)).message).toBe("TypeError: no such thing");
  });
});
