// @ts-check
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/**
 * @typedef {object} Printed
 * @property {number | null} status
 * @property {string} stdout
 * @property {string} output both streams, by arrival
 */

/** The folder of somebody who follows a page: our packages are installed there, `talaria` is on the PATH. */
export class ReaderFolder {
  /** @type {string} */
  path;

  /** @param {string} root the checkout, built */
  constructor(root) {
    this.path = mkdtempSync(path.join(tmpdir(), "talaria-docs-"));
    const scope = path.join(this.path, "node_modules", "@talaria");
    mkdirSync(scope, { recursive: true });
    for (const folder of readdirSync(path.join(root, "packages"))) {
      symlinkSync(path.join(root, "packages", folder), path.join(scope, folder), "dir");
    }
    const bin = path.join(root, "packages", "cli", "dist", "bin.js");
    this.write("bin/talaria", `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`);
    chmodSync(path.join(this.path, "bin", "talaria"), 0o755);
  }

  /**
   * @param {string} file
   * @param {string} text
   */
  write(file, text) {
    const target = path.join(this.path, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  }

  /**
   * Makes something importable by name.
   *
   * @param {string} name
   * @param {string} target
   */
  install(name, target) {
    symlinkSync(target, path.join(this.path, "node_modules", name), "dir");
  }

  /** @param {readonly [string, ...string[]]} argv */
  run([program, ...words]) {
    return /** @type {Promise<Printed>} */ (
      new Promise((resolve, reject) => {
        const child = spawn(program, words, {
          cwd: this.path,
          env: readerEnvironment(this.path),
          stdio: ["ignore", "pipe", "pipe"],
        });
        let stdout = "";
        let output = "";
        child.stdout.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
          stdout += text;
          output += text;
        });
        child.stderr.setEncoding("utf8").on("data", (/** @type {string} */ text) => (output += text));
        child.on("error", reject);
        child.on("close", (status) => resolve({ status, stdout, output }));
      })
    );
  }

  remove() {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/**
 * A Talaria home of its own, and nothing of the caller that would change what is printed.
 *
 * @param {string} folder
 */
function readerEnvironment(folder) {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(?:TALARIA_|NO_COLOR$|FORCE_COLOR$|NODE_OPTIONS$|VITEST)/.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    PATH: `${path.join(folder, "bin")}:${process.env["PATH"]}`,
    TALARIA_HOME: path.join(folder, "talaria-home"),
  };
}
