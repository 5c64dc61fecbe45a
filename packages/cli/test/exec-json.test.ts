import { describe, expect, it } from "vitest";
import { runCli, temporaryFolder } from "./support/run-cli.js";

async function document(
  words: readonly string[],
): Promise<{ status: number | null; parsed: Record<string, unknown> }> {
  const run = await runCli(temporaryFolder(), ["exec", "--json", ...words]);
  return { status: run.status, parsed: JSON.parse(run.stdout) as Record<string, unknown> };
}

describe("exec --json", () => {
  it("prints one document in snake_case, and ends with the command's status", async () => {
    const { status, parsed } = await document(["--", "cd /usr; echo out; echo err >&2; exit 3"]);
    expect(status).toBe(3);
    expect(parsed).toMatchObject({
      schema: 1,
      outcome: { kind: "exited", code: 3 },
      exit_code: 3,
      output: "out\nerr\n",
      ordered: true,
      cwd: "/usr",
      cwd_observed: true,
      generation: 1,
      notes: [],
    });
    expect(Object.keys(parsed["timing"] as object)).toEqual([
      "queued_ms",
      "connect_ms",
      "first_byte_ms",
      "exit_ms",
      "drained_ms",
    ]);
    expect(parsed).not.toHaveProperty("output_bytes");
  });

  it("has both streams apart as well with --separate", async () => {
    const { parsed } = await document(["--separate", "--", "echo out; echo err >&2"]);
    expect(parsed).toMatchObject({ stdout: "out\n", stderr: "err\n", ordered: false });
  });

  it("carries bytes that are not UTF-8 as base64", async () => {
    const { parsed } = await document(["--", "printf 'a\\377b'"]);
    expect(parsed["output_base64"]).toBe(Buffer.from([0x61, 0xff, 0x62]).toString("base64"));
    expect(parsed).not.toHaveProperty("output");
  });

  it("says what was left out of a long output", async () => {
    const { parsed } = await document([
      "--max-output-bytes",
      "1000",
      "--",
      "head -c 5000 /dev/zero | tr '\\0' x",
    ]);
    expect(parsed["truncated"]).toMatchObject({
      total_bytes: 5000,
      dropped_bytes: expect.any(Number) as number,
    });
  });

  it("tells a timeout by its kind, with what was ended", async () => {
    const { status, parsed } = await document(["--timeout-ms", "300", "--", "echo before; sleep 60"]);
    expect(status).toBe(124);
    expect(parsed).toMatchObject({
      outcome: { kind: "timed_out", timeout_ms: 300, survivors: [] },
      exit_code: 124,
      output: "before\n",
    });
  });

  it("names a signal", async () => {
    const { status, parsed } = await document(["--", "kill -TERM $BASHPID"]);
    expect(status).toBe(143);
    expect(parsed["outcome"]).toEqual({ kind: "signaled", signal: "SIGTERM", signal_number: 15 });
  });
});
