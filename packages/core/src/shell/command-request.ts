import type { EnvironmentExecuteOptions } from "../environment/execute-options.js";
import type { Channel } from "./channel.js";
import { mayChangeFunctions } from "./may-change-functions.js";
import { callEnvText, inheritText, lateFunctionsText, startText } from "./prelude.js";
import { toShellBytes } from "./shell-bytes.js";
import type { ChannelRequest } from "./request.js";
import type { ShellStates } from "./shell-states.js";

/** The directory a command is asked to start in, in shell bytes. */
export function startDirectoryOf(channel: Channel, command: EnvironmentExecuteOptions): string {
  const path = command.start?.path ?? null;
  if (path === null) return channel.hello.state.cwd;
  return path === "~" ? channel.hello.home : toShellBytes(path);
}

/** What a channel has to be sent so that the command runs in the state it should. The channel then holds that state. */
export function commandRequest(
  channel: Channel,
  states: ShellStates,
  script: string,
  command: EnvironmentExecuteOptions,
): ChannelRequest {
  const { current } = states;
  const inherit = inheritText(channel.held, current);
  channel.held = { functions: current.functions, aliases: current.aliases };
  const start = command.start ?? { path: null, ifMissing: "fail" };
  const prelude =
    inherit +
    states.currentText +
    callEnvText(command.env ?? {}) +
    startText(start, startDirectoryOf(channel, command), states.oldCwd) +
    lateFunctionsText(current);
  return {
    script: Buffer.from(script, "utf8"),
    prelude: Buffer.from(prelude, "latin1"),
    // With stdin the channel is used up, and what follows the request is the command's own.
    inherit: Buffer.from(command.stdin === undefined ? inherit : "", "latin1"),
    merge: command.separate !== true,
    stdin: command.stdin !== undefined,
    functions: mayChangeFunctions(script, current.functions, current.aliases),
  };
}
