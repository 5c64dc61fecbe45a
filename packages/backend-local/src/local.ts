import type { LocalOptions } from "./local-options.js";
import { LocalProvider } from "./local-provider.js";

/** A configured provider for sessions on this host: `openSession({ backend: local() })`. Starts and reads nothing. */
export function local(options: LocalOptions = {}): LocalProvider {
  return new LocalProvider(options);
}
