import { checkConfig } from "@talaria/core";
import { failure, success } from "../exit-status.js";
import { formatDocument } from "../output/json-document.js";
import type { Invocation } from "../program/invocation.js";
import { knownSchemas } from "./known-schemas.js";

/** Prints all that is wrong with the configuration. Status 1 when something of it is an error. */
export async function checkValues(invocation: Invocation, json: boolean): Promise<number> {
  const { stdout, style } = invocation;
  const problems = await checkConfig({ schemas: await knownSchemas() });
  const ok = problems.every(({ severity }) => severity !== "error");
  if (json) {
    await stdout.write(formatDocument({ ok, problems }));
  } else {
    for (const { severity, message, hint } of problems) {
      stdout.line(`${severity === "error" ? style.bad("error:") : style.warning("warning:")} ${message}`);
      if (hint !== undefined) stdout.line(`  hint: ${hint}`);
    }
    if (problems.length === 0) stdout.line("The configuration is fine.");
  }
  return ok ? success : failure;
}
