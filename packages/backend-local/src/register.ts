import type { TerminalEnvironmentProvider } from "@talaria/core";
import { LocalProvider } from "./local-provider.js";

/** The part of a plugin's context that is used here. */
export interface RegistrationContext {
  registerTerminalEnvironmentProvider(provider: TerminalEnvironmentProvider): void;
}

/** Called by the plugin loader. */
export function register(ctx: RegistrationContext): void {
  ctx.registerTerminalEnvironmentProvider(new LocalProvider());
}
