// @ts-check

/**
 * The files that may start processes on the host, each with the reason. Everything else goes through an environment's
 * `spawn`, which gives a process an allowlisted environment.
 *
 * @type {Readonly<Record<string, string>>}
 */
const allowed = {
  "backend-local/src/account/account.ts": "getent",
  "backend-local/src/account/switch-account.ts": "asks as another account",
  "backend-local/src/bash/bash-version.ts": "asks a bash for its version",
  "backend-local/src/login/capture.ts": "the user's login shell",
  "backend-local/src/process/pipe-source.ts": "makes pipes",
  "backend-local/src/process/start-process.ts": "the agent's processes",
  "backend-local/src/process/widen-pipe.ts": "makes a pipe wider",
  "cli/src/suite/run-bench.ts": "the user's own benchmark, in the user's own environment",
  "core/src/session/process-identity.ts": "ps",
};

/** These get everything on purpose. */
const inheritsAll = new Set(["cli/src/suite/run-bench.ts"]);

const modules = new Set(["node:child_process", "child_process", "node:cluster", "cluster"]);
const starters = /\b(?:spawn|spawnSync|exec|execSync|execFile|execFileSync|fork)\)?\(/g;

/**
 * Without `env` a child of Node inherits every variable of the host, whatever secret it holds.
 *
 * @param {import("./repository.mjs").Repository} repository
 * @returns {string[]}
 */
export function processStarts({ packages }) {
  return packages.flatMap((pkg) =>
    pkg.sources.flatMap(({ name, imports }) => {
      const file = `${pkg.folder}/${name}`;
      if (!imports.some(({ specifier, isTypeOnly }) => modules.has(specifier) && !isTypeOnly)) return [];
      if (allowed[file] === undefined) {
        return [`packages/${file}: starts processes, and is not in scripts/structure/process-starts.mjs`];
      }
      if (inheritsAll.has(file)) return [];
      const calls = callsIn(pkg.read(name) ?? "");
      if (calls.length === 0) return [`packages/${file}: no call was found that starts a process`];
      return calls
        .filter((call) => !/\benv\b/.test(call))
        .map(
          (call) =>
            `packages/${file}: starts a process without naming its environment: ${call.split("\n")[0]}`,
        );
    }),
  );
}

/**
 * The calls that start a process, with their arguments.
 *
 * @param {string} text
 * @returns {string[]}
 */
function callsIn(text) {
  return [...text.matchAll(starters)].flatMap((match) => {
    const before = text[match.index - 1];
    if (before === "." || before === "#") return [];
    let depth = 1;
    let at = match.index + match[0].length;
    while (depth > 0 && at < text.length) {
      if (text[at] === "(") depth += 1;
      if (text[at] === ")") depth -= 1;
      at += 1;
    }
    return [text.slice(match.index, at)];
  });
}
