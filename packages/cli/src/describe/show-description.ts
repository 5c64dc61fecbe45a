import { success } from "../exit-status.js";
import { formatDocument } from "../output/json-document.js";
import { visibleText } from "../output/visible-text.js";
import { inSession } from "../program/in-session.js";
import type { Invocation } from "../program/invocation.js";
import type { SessionChoice } from "../program/session-options.js";

export interface DescribeOptions extends SessionChoice {
  readonly json?: true;
}

/** Prints what a model is told about where its commands run. */
export async function showDescription(invocation: Invocation, options: DescribeOptions): Promise<number> {
  const { stdout } = invocation;
  return inSession(invocation, options, async (session, { signal }) => {
    const { text, facts } = await session.describe({ signal });
    if (options.json) await stdout.write(formatDocument({ backend: session.backend, text, facts }));
    else stdout.line(visibleText(text));
    return success;
  });
}
