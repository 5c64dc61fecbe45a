import { TalariaError } from "../../src/errors/talaria-error.js";
import { loadBackend, type LoadBackendOptions } from "../../src/plugins/load-backend.js";

/** The error that loading a backend must end with. */
export async function failure(name: string, options: LoadBackendOptions): Promise<TalariaError> {
  const result: unknown = await loadBackend(name, options).catch((error: unknown) => error);
  if (result instanceof TalariaError) return result;
  throw new Error("it was loaded", { cause: result });
}
