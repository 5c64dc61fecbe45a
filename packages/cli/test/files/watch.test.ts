import { once } from "node:events";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { until } from "../support/processes.js";
import { startCli, temporaryFolder } from "../support/run-cli.js";

describe("files watch", () => {
  it("prints a document a line for what changes, until Ctrl-C", async () => {
    const home = temporaryFolder();
    const place = temporaryFolder();
    const watching = startCli(home, ["files", "watch", "--json", "--poll-ms", "50", place]);
    let seen = "";
    watching.stdout?.on("data", (bytes: Buffer) => (seen += bytes.toString()));
    await until("the watch is ready", () => seen.includes('"ready"'), 10_000);
    writeFileSync(join(place, "a"), "x");
    await until("the new file is told", () => /"kind":"created","path":"a"/.test(seen));
    renameSync(join(place, "a"), join(place, "b"));
    await until("its new name is told", () => /"path":"b"/.test(seen));
    rmSync(join(place, "b"));
    await until("its end is told", () => /"kind":"removed","path":"b"/.test(seen));
    watching.kill("SIGINT");
    expect((await once(watching, "close"))[0]).toBe(130);
    for (const line of seen.trim().split("\n")) expect(JSON.parse(line)).toMatchObject({ schema: 1 });
  });
});
