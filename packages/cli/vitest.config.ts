import { defineProject, mergeConfig } from "vitest/config";
import shared from "../../vitest.shared.js";

export default mergeConfig(
  shared,
  defineProject({
    test: {
      name: "cli",
      root: import.meta.dirname,
      include: ["test/**/*.test.ts"],
      // The tests run the command a user would run: the built one.
      globalSetup: ["test/support/build-cli.ts"],
    },
  }),
);
