import { loadConfig } from "@talaria/core";
import { surveyBackends } from "../inspect/surveyed-backend.js";
import type { TourStep } from "./tour-step.js";

/** What the backend declares, as core read it. */
export async function describeBackend(name: string): Promise<TourStep> {
  const [backend] = await surveyBackends(await loadConfig(), [name]);
  const flags = backend?.registered?.flags;
  if (backend === undefined || flags === undefined) {
    return { title: "The backend", lines: [backend?.probe.detail ?? "not found"], ok: false };
  }
  return {
    title: `The backend: ${name}, and what it declares`,
    lines: [
      flags.envDescription,
      `remote ${yesNo(flags.isRemote)}, container ${yesNo(flags.isContainer)}, ` +
        `skips container guards ${yesNo(flags.skipContainerGuards)}, streams ${yesNo(flags.supportsStreams)}`,
      `can: ${flags.capabilities.join(", ")}`,
      `${backend.probe.status}: ${backend.probe.detail}`,
    ],
    ok: backend.probe.status === "ready",
  };
}

function yesNo(value: boolean): string {
  return value ? "yes" : "no";
}
