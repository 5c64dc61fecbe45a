import type { ConfigProblem, ConfigValue } from "./config-value.js";

/** What one source said, and what was wrong with it. */
export interface ConfigLayer {
  readonly values: readonly ConfigValue[];
  readonly problems: readonly ConfigProblem[];
}

export const emptyLayer: ConfigLayer = Object.freeze({ values: [], problems: [] });
