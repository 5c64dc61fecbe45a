import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/**
 * Workspace packages resolve to their TypeScript sources under this condition, so tests need no build.
 * Plain Node and published consumers never set it and get `dist`.
 */
const conditions = ["@talaria/source", "module", "node", "development|production"];

/** What every package's `vitest.config.ts` starts from. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    environment: "node",
    globalSetup: fileURLToPath(new URL("./scripts/test-home.ts", import.meta.url)),
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    expect: { requireAssertions: true },
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
