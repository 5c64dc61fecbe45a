// @ts-check

/**
 * Runs one script and says how long it took. Throws when the answer is wrong: a fast wrong answer is worth nothing.
 *
 * @param {import("./contenders/contender.mjs").Contender} contender
 * @param {Pick<import("./command-mix.mjs").MixedScript, "text" | "exitCode" | "output">} script
 * @returns {Promise<number>} milliseconds
 */
export async function timeCommand(contender, script) {
  const began = performance.now();
  const answer = await contender.run(script.text);
  const tookMs = performance.now() - began;
  if (answer.exitCode !== script.exitCode || !script.output.test(answer.output)) {
    throw new Error(
      `${contender.name} answered \`${script.text.slice(0, 200)}\` with ${answer.exitCode} and ${JSON.stringify(answer.output.slice(0, 200))}`,
    );
  }
  return tookMs;
}
