import { configKeyNames, listBackends, listPlugins, loadConfig, talariaHomePath } from "@talaria/core";
import { namedSessions } from "../inspect/named-sessions.js";
import { commandList } from "../program/command-list.js";
import type { Candidate, NameSource } from "./complete-words.js";

/** The names there are on this machine. What cannot be read offers nothing: TAB is no place for an error. */
export const nameSource: NameSource = async (placeholder, given) => {
  try {
    return await namesOf(placeholder, given);
  } catch {
    return [];
  }
};

async function namesOf(
  placeholder: string,
  given: (option: string) => string | undefined,
): Promise<readonly Candidate[]> {
  switch (placeholder) {
    case "topic":
      return commandList
        .filter(({ hidden }) => hidden !== true)
        .map(({ name, summary }) => ({ value: name, description: summary }));
    case "session":
      return (await namedSessions(talariaHomePath())).map((value) => ({ value, description: "session" }));
    case "job": {
      const { jobNames } = await import("./job-names.js");
      return jobNames(given);
    }
    case "allowed":
      return (await loadConfig()).get("approvals.allow").map((value) => ({ value, description: "allowed" }));
    case "backend":
      return (await listBackends({ config: await loadConfig() }))
        .filter(({ status }) => status === "installed")
        .map(({ name, pluginId }) => ({ value: name, description: pluginId }));
    case "plugin":
      return (await listPlugins({ config: await loadConfig() })).map(({ id, status }) => ({
        value: id,
        description: status.replaceAll("_", " "),
      }));
    case "key": {
      const others = (await loadConfig()).entries().map(({ key }) => key);
      return [...new Set([...configKeyNames, ...others])].map((value) => ({ value, description: "" }));
    }
    default:
      return [];
  }
}
