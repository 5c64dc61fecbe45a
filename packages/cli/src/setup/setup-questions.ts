import { confirm, isCancel, password, select, text } from "@clack/prompts";
import type { SurveyedBackend } from "../inspect/surveyed-backend.js";
import type { MissingField } from "./missing-fields.js";

/** Lets a person pick one of the backends that can be set up. Undefined when they gave up. */
export async function chooseBackend(
  backends: readonly SurveyedBackend[],
): Promise<SurveyedBackend | undefined> {
  const usable = backends.filter(({ registered }) => registered !== undefined);
  const answer = await select({
    message: "Where should commands run?",
    options: usable.map(({ row, registered, probe }) => ({
      value: row.name,
      label: registered?.flags.displayName ?? row.name,
      hint: probe.status === "ready" ? (registered?.flags.description ?? "") : probe.detail,
    })),
  });
  return isCancel(answer) ? undefined : usable.find(({ row }) => row.name === answer);
}

/** Asks for the fields a backend needs, as `[dotted key, value]`. Undefined when the person gave up. */
export async function askForFields(
  backend: string,
  fields: readonly MissingField[],
): Promise<readonly (readonly [string, unknown])[] | undefined> {
  const answers: (readonly [string, unknown])[] = [];
  for (const { name, field } of fields) {
    const answer = await ask(`${name}: ${field.description}`, field);
    if (isCancel(answer)) return undefined;
    answers.push([`terminal.backends.${backend}.${name}`, answer]);
  }
  return answers;
}

/** The last question. */
export async function confirmChoice(displayName: string): Promise<boolean> {
  const answer = await confirm({ message: `Run commands on ${displayName} from now on?` });
  return !isCancel(answer) && answer;
}

function ask(message: string, { type, options, example }: MissingField["field"]): Promise<unknown> {
  switch (type) {
    case "secret":
      return password({ message });
    case "boolean":
      return confirm({ message });
    case "select":
      return select({ message, options: (options ?? []).map((value) => ({ value, label: value })) });
    case "list":
    case "number":
    case "string":
    case "text":
      return text({ message, ...(example === undefined ? {} : { placeholder: example }) });
  }
}
