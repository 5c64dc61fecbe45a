import {
  ProviderRegistry,
  TalariaError,
  listBackends,
  loadBackend,
  normaliseBackendName,
  type BackendRow,
  type Config,
  type ProbeResult,
  type RegisteredProvider,
} from "@talaria/core";
import { wholeProvider } from "./whole-provider.js";

/** A backend as it was found on this machine. */
export interface SurveyedBackend {
  readonly row: BackendRow;
  /** Present when it is installed and its code could be loaded. */
  readonly registered?: RegisteredProvider;
  /** What its provider says of its health; for one that is not loaded, why not. */
  readonly probe: ProbeResult;
  readonly hint?: string | undefined;
}

/** A provider promises an answer within 2 s; one that does not keep it must not keep the others waiting. */
const probeDeadlineMs = 3_000;

/**
 * Looks at every backend that is known, or at those named. Nothing is created, and no backend keeps another from being
 * seen. Throws UnknownBackendError for a name that nothing has.
 */
export async function surveyBackends(
  config: Config,
  names?: readonly string[],
): Promise<readonly SurveyedBackend[]> {
  const registry = new ProviderRegistry();
  const rows = await listBackends({ config });
  const wanted = names?.map(normaliseBackendName);
  const unknown = wanted?.find((name) => rows.every((row) => row.name !== name));
  // The loader has the text for it: the names there are, and what to install or enable.
  if (unknown !== undefined) await loadBackend(unknown, { config, registry });
  return Promise.all(
    rows
      .filter(({ name }) => wanted === undefined || wanted.includes(name))
      .map((row) => survey(row, config, registry)),
  );
}

async function survey(row: BackendRow, config: Config, registry: ProviderRegistry): Promise<SurveyedBackend> {
  if (row.status !== "installed") {
    return {
      row,
      probe: {
        status: "unavailable",
        reason: row.status,
        detail: row.reason ?? row.status.replaceAll("_", " "),
      },
      hint: row.hint,
    };
  }
  try {
    const registered = await loadBackend(row.name, { config, registry });
    return { row, registered, probe: await probe(registered) };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return {
      row,
      probe: { status: "unavailable", reason: "load_failed", detail },
      hint: TalariaError.isInstance(error) ? error.hint : undefined,
    };
  }
}

async function probe({ provider }: RegisteredProvider): Promise<ProbeResult> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<ProbeResult>((resolve) => {
    timer = setTimeout(() => {
      resolve({
        status: "unavailable",
        reason: "probe_timeout",
        detail: `gave no answer within ${probeDeadlineMs} ms`,
      });
    }, probeDeadlineMs);
  });
  try {
    return await Promise.race([wholeProvider(provider).probe(), late]);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { status: "unavailable", reason: "probe_failed", detail };
  } finally {
    clearTimeout(timer);
  }
}
