import { TerminalEnvironmentProvider } from "@talaria/core";

type Asked = Pick<
  TerminalEnvironmentProvider,
  "probe" | "doctorChecks" | "checkRequirements" | "setupInstructions" | "postSetup"
>;

/**
 * The optional members of a provider, those it leaves out answered as the contract says. A plugin without a build hands
 * in a plain object that has only what is required.
 */
export function wholeProvider(provider: TerminalEnvironmentProvider): Asked {
  const own: Partial<Asked> = provider;
  return {
    probe: () => own.probe?.() ?? TerminalEnvironmentProvider.prototype.probe.call(provider),
    doctorChecks: async () => (await own.doctorChecks?.()) ?? [],
    checkRequirements: async (config) => own.checkRequirements?.(config),
    setupInstructions: () => own.setupInstructions?.() ?? [],
    postSetup: async () => own.postSetup?.(),
  };
}
