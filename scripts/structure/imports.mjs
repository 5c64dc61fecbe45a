// @ts-check
import { parseSync } from "vite";

/**
 * @typedef {object} Import
 * @property {string} specifier
 * @property {boolean} isTypeOnly erased by the compiler: nothing of it is there at run time
 */

/**
 * Everything a TypeScript file imports or re-exports, `import()` with a literal included.
 *
 * @param {string} name
 * @param {string} text
 * @returns {Import[]}
 */
export function importsOf(name, text) {
  const { module, errors } = parseSync(name, text);
  const error = errors[0];
  if (error !== undefined) throw new Error(`${name}: ${error.message}`);
  // `import { type A } from` stays behind as an import at run time; only `import type` goes away.
  /** @param {number} start */
  const isTypeOnly = (start) => /^(?:import|export)\s+type\b/.test(text.slice(start, start + 40));

  const statics = module.staticImports.map(({ moduleRequest, start }) => ({
    specifier: moduleRequest.value,
    isTypeOnly: isTypeOnly(start),
  }));
  const exported = module.staticExports.flatMap(({ entries, start }) =>
    entries.flatMap(({ moduleRequest }) =>
      moduleRequest ? [{ specifier: moduleRequest.value, isTypeOnly: isTypeOnly(start) }] : [],
    ),
  );
  const dynamics = module.dynamicImports.flatMap(({ moduleRequest }) => {
    const literal = /^(["'])(.*)\1$/.exec(text.slice(moduleRequest.start, moduleRequest.end))?.[2];
    return literal === undefined ? [] : [{ specifier: literal, isTypeOnly: false }];
  });
  return [...statics, ...exported, ...dynamics];
}
