import {
  InvalidArgumentError,
  UnknownBackendError,
  loadConfig,
  resolveBackendConfig,
  setConfigValue,
  type RegisteredProvider,
} from "@talaria/core";
import { success } from "../exit-status.js";
import { surveyBackends, type SurveyedBackend } from "../inspect/surveyed-backend.js";
import { formatDocument } from "../output/json-document.js";
import type { Invocation } from "../program/invocation.js";
import { wholeProvider } from "../inspect/whole-provider.js";
import { missingFields } from "./missing-fields.js";

export interface SetupOptions {
  readonly backend?: string;
  readonly yes?: true;
  readonly json?: true;
}

/** What a person who gave up at a question gets: as for Ctrl-C, and nothing was written. */
const givenUp = 130;

/** Sets a backend up. Nothing is written before everything that can fail has passed. */
export async function runSetup(invocation: Invocation, options: SetupOptions): Promise<number> {
  const mayAsk =
    invocation.stdin.isTTY && invocation.stdoutIsTty && options.yes !== true && options.json !== true;
  if (!mayAsk && (options.backend === undefined || options.yes !== true)) {
    throw new InvalidArgumentError("backend", "setup has no terminal to ask its questions on", {
      operation: "setup",
      hint: "say everything in the command: talaria setup --backend <backend> --yes",
    });
  }
  const config = await loadConfig();
  const backends = await surveyBackends(
    config,
    options.backend === undefined ? undefined : [options.backend],
  );
  const questions = mayAsk ? await import("./setup-questions.js") : undefined;
  const chosen = options.backend === undefined ? await questions?.chooseBackend(backends) : backends[0];
  if (chosen === undefined) return givenUp;
  const { provider: registered, flags } = requireLoaded(chosen);
  const provider = wholeProvider(registered);

  for (const line of provider.setupInstructions()) invocation.messages.note(line);
  const missing = missingFields(config, flags);
  if (questions !== undefined) {
    const answers = await questions.askForFields(flags.name, missing);
    if (answers === undefined || !(await questions.confirmChoice(flags.displayName))) return givenUp;
    for (const [key, value] of answers) {
      await setConfigValue(key, value, { schemas: { [flags.name]: flags.configSchema } });
    }
  }
  const { values } = resolveBackendConfig(await loadConfig(), flags.name, flags.configSchema);
  await provider.checkRequirements(values);
  await provider.postSetup();
  const { path, changed } = await setConfigValue("terminal.backend", flags.name);
  if (options.json) {
    await invocation.stdout.write(formatDocument({ backend: flags.name, changed, path }));
  } else {
    invocation.messages.note(`commands now run on ${flags.displayName} (terminal.backend in ${path})`);
    invocation.messages.note("to see how it stands: talaria doctor");
  }
  return success;
}

function requireLoaded({ row, registered, probe, hint }: SurveyedBackend): RegisteredProvider {
  if (registered !== undefined) return registered;
  throw new UnknownBackendError(`The backend "${row.name}" cannot be set up: ${probe.detail}.`, {
    backend: row.name,
    operation: "setup",
    hint,
  });
}
