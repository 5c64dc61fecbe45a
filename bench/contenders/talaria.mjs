// @ts-check

/**
 * @param {import("@talaria/core").TerminalSession} session
 * @returns {import("./contender.mjs").Contender}
 */
export function talaria(session) {
  return {
    name: "talaria",
    run: async (script) => {
      const { exitCode, output } = await session.execute(script);
      return { exitCode, output };
    },
    close: async () => void (await session.close()),
  };
}
