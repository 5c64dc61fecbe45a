// @ts-check

/**
 * A program an engine needs on this machine.
 *
 * @typedef {object} Need
 * @property {string} command looked for on the PATH and in the sbin folders
 * @property {string} debian the Debian package that brings it
 * @property {string} why what does not run without it
 */

/**
 * @typedef {object} EngineContext
 * @property {string} folder where the engine keeps everything it downloads, builds or writes, in a folder of its name
 */

/**
 * @typedef {object} EngineStatus
 * @property {boolean} isUp whether tests can use it now
 * @property {string} detail one line for a person: an address, a version, what is wrong
 */

/**
 * Something tests run against. Each of the three is idempotent, and two of them at once do not hurt each other.
 *
 * @typedef {object} Engine
 * @property {string} name
 * @property {readonly Need[]} needs installed, as root, before `up`
 * @property {(context: EngineContext) => Promise<void>} up brings it to where tests can use it
 * @property {(context: EngineContext) => Promise<void>} down leaves no process and no mount behind
 * @property {(context: EngineContext) => Promise<EngineStatus>} status looks, changes nothing
 */

export {};
