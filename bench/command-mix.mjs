// @ts-check

/**
 * A script and how to tell that it was really run. Whether it needs a program besides the shell decides its class.
 *
 * @typedef {object} MixedScript
 * @property {string} text
 * @property {boolean} needsProgram
 * @property {number} exitCode
 * @property {RegExp} output
 */

/** Where all sides run the mix: the directory the mix itself changes to, so that each lists the same files. */
export const mixDirectory = "/tmp";

/** @type {readonly MixedScript[]} */
export const commandMix = [
  { text: "true", needsProgram: false, exitCode: 0, output: /^$/ },
  { text: "echo hi", needsProgram: false, exitCode: 0, output: /^hi\n$/ },
  { text: "/bin/true", needsProgram: true, exitCode: 0, output: /^$/ },
  { text: "ls | wc -l", needsProgram: true, exitCode: 0, output: /^ *\d+\n$/ },
  { text: "cd /tmp && pwd", needsProgram: false, exitCode: 0, output: /^\/tmp\n$/ },
  { text: "export A=1", needsProgram: false, exitCode: 0, output: /^$/ },
  { text: "sh -c 'exit 3'", needsProgram: true, exitCode: 3, output: /^$/ },
  { text: "false || exit 4", needsProgram: false, exitCode: 4, output: /^$/ },
];

/** The two classes that have targets of their own. */
export const mixClasses = /** @type {const} */ ([
  { id: "without_program", label: "without an external program", needsProgram: false, p50AtMost: 0.6 },
  { id: "with_program", label: "with an external program", needsProgram: true, p50AtMost: 0.85 },
]);
