// @ts-check

/** Milliseconds by side and script. */
export class Timings {
  /** @type {Map<string, Map<string, number[]>>} */
  #samples = new Map();

  /**
   * @param {string} side
   * @param {string} script
   * @param {number} tookMs
   */
  add(side, script, tookMs) {
    let scripts = this.#samples.get(side);
    if (scripts === undefined) this.#samples.set(side, (scripts = new Map()));
    const samples = scripts.get(script);
    if (samples === undefined) scripts.set(script, [tookMs]);
    else samples.push(tookMs);
  }

  /**
   * All samples of one side for these scripts.
   *
   * @param {string} side
   * @param {readonly { readonly text: string }[]} scripts
   * @returns {number[]}
   */
  of(side, scripts) {
    return scripts.flatMap(({ text }) => this.#samples.get(side)?.get(text) ?? []);
  }
}
