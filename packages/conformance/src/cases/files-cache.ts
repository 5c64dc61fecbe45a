import { casesOf } from "../case.js";

export const filesCacheCases = casesOf("files", {
  "cache-translation": {
    title:
      "a path without another side in the cache is not invented, and without a place inside all stay as they are",
    rule: "SPEC 9.4",
    async run({ check, session }) {
      const report = await session.cache.sync();
      const inside = await session.cache.toSandboxPath("/nowhere/of/any/cache");
      const outside = await session.cache.toHostPath("/nowhere/of/any/cache");
      // Without a place inside, host paths are right as they are, and nothing was copied.
      const expected = report.status === "not_translated" ? "/nowhere/of/any/cache" : null;
      check.equal<string | null>(inside, expected, "its place inside");
      check.equal<string | null>(outside, expected, "its place on the host");
      if (report.status === "not_translated") check.equal(report.uploadedFiles, 0, "files sent");
    },
  },
  "cache-again": {
    title: "a second sync of an unchanged cache sends nothing",
    rule: "SPEC 9.4",
    async run({ check, session, nextCommandWorks }) {
      await session.cache.sync();
      const again = await session.cache.sync();
      check.equal(again.uploadedFiles, 0, "files sent again");
      check.equal(again.deletedFiles, 0, "files deleted again");
      await nextCommandWorks();
    },
  },
});
