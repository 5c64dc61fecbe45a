import { ContractError } from "../errors/errors.js";

/** What a minimal environment has to answer with. Further members are ignored. */
export interface MinimalAnswer {
  readonly output: string;
  readonly exitCode: number;
}

/** Names that other systems use for the same things: the likely mistakes. */
const otherNames: Readonly<Record<keyof MinimalAnswer, readonly string[]>> = {
  exitCode: ["exit_code", "returncode", "returnCode", "return_code", "exitStatus", "status", "code"],
  output: ["stdout", "result", "text", "out"],
};

/** Judges an answer. Throws ContractError that names the wrong member and the right one: never taken for a success. */
export function checkMinimalAnswer(backend: string, answer: unknown): MinimalAnswer {
  const refuse = (problem: string): ContractError =>
    new ContractError(`The environment of "${backend}" answered a command wrongly: ${problem}.`, {
      backend,
      operation: "execute",
      hint: "execute() must return { output: string, exitCode: integer from 0 to 255 }. Whether the command ran is not known.",
    });
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) {
    throw refuse(`it returned ${describe(answer)}, expected { output, exitCode }`);
  }
  const { output, exitCode } = answer as Record<string, unknown>;
  for (const member of ["exitCode", "output"] as const) {
    if ((answer as Record<string, unknown>)[member] !== undefined) continue;
    const found = otherNames[member].find((name) => name in answer);
    throw refuse(
      found === undefined ? `"${member}" is missing` : `it has "${found}" where "${member}" is expected`,
    );
  }
  if (typeof output !== "string") throw refuse(`"output" is ${describe(output)}, expected a text`);
  if (typeof exitCode !== "number" || !Number.isInteger(exitCode) || exitCode < 0 || exitCode > 255) {
    throw refuse(`"exitCode" is ${describe(exitCode)}, expected an integer from 0 to 255`);
  }
  return { output, exitCode };
}

function describe(value: unknown): string {
  if (value === undefined || value === null || typeof value === "number") return String(value);
  if (typeof value === "string") return "a text";
  return Array.isArray(value) ? "a list" : `a value of type ${typeof value}`;
}
