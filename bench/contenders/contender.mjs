// @ts-check

/**
 * One way to run shell text from Node and get its output and its exit status.
 *
 * @typedef {object} Contender
 * @property {string} name
 * @property {(script: string) => Promise<CommandAnswer>} run
 * @property {() => Promise<void>} close
 */

/**
 * @typedef {object} CommandAnswer
 * @property {number | null} exitCode
 * @property {string} output
 */

/**
 * Where all contenders run, so that none has more to carry than another.
 *
 * @typedef {object} Place
 * @property {string} cwd
 * @property {Record<string, string>} env
 */

export {};
