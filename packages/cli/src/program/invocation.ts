import { Messages } from "../output/messages.js";
import { makeStyle, wantsColour, type Style } from "../output/style.js";
import { StreamWriter } from "../output/writer.js";

/** What one run of `talaria` has: its streams, its environment, and the status it will end with. */
export interface Invocation {
  /** What stands after `talaria`. */
  readonly words: readonly string[];
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: StreamWriter;
  readonly stderr: StreamWriter;
  readonly stdoutIsTty: boolean;
  readonly env: NodeJS.ProcessEnv;
  /** Whether stdout gets colour. */
  readonly colour: boolean;
  readonly style: Style;
  readonly messages: Messages;
  /** Set by the command that ran. */
  status: number;
}

/** The invocation of this very process. */
export function currentInvocation(words: readonly string[]): Invocation {
  const stderr = new StreamWriter(process.stderr);
  const colour = wantsColour(process.env, process.stdout.isTTY);
  return {
    words,
    stdin: process.stdin,
    stdout: new StreamWriter(process.stdout),
    stderr,
    stdoutIsTty: process.stdout.isTTY,
    env: process.env,
    colour,
    style: makeStyle(colour),
    messages: new Messages(stderr, makeStyle(wantsColour(process.env, process.stderr.isTTY))),
    status: 0,
  };
}
