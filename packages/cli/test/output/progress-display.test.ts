import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { ProgressDisplay, type DisplayOptions } from "../../src/output/progress-display.js";
import { StreamWriter } from "../../src/output/writer.js";

/** A progress with a clock that the test turns, and what it has written. */
function shown(form: DisplayOptions["form"], columns = 100) {
  let time = 0;
  let text = "";
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  const progress = new ProgressDisplay({ writer: new StreamWriter(stream), form, columns, now: () => time });
  return {
    progress,
    turnTo: (ms: number) => {
      time = ms;
    },
    text: () => text,
  };
}

const mib = 1024 * 1024;

describe("the progress of a transfer", () => {
  it("says files, bytes, rate and time left on a line every two seconds where there is no terminal", () => {
    const { progress, turnTo, text } = shown("lines");
    turnTo(1_000);
    progress.show({ files: 1, bytes: mib, totalBytes: 10 * mib });
    expect(text()).toBe("");
    turnTo(2_000);
    progress.show({ files: 2, bytes: 2 * mib, totalBytes: 10 * mib });
    turnTo(3_000);
    progress.show({ files: 3, bytes: 3 * mib, totalBytes: 10 * mib });
    expect(text()).toBe("talaria: 2 files, 2.0 MiB of 10.0 MiB, 1.0 MiB/s, 8 s left\n");
  });

  it("draws one line over and over on a terminal, and takes it away at the end", () => {
    const { progress, turnTo, text } = shown("bar");
    turnTo(400);
    progress.show({ files: 1, bytes: 5 * mib, totalBytes: 10 * mib, path: "a/b.bin" });
    expect(text()).toMatch(
      /^\r\[#{15} {15}\] {2}50% {2}1 file {2}5\.0 MiB of 10\.0 MiB .* a\/b\.bin\u001b\[K$/,
    );
    turnTo(600);
    progress.show({ files: 1, bytes: 10 * mib, totalBytes: 10 * mib });
    expect(text()).not.toContain("\n");
    progress.end();
    expect(text().endsWith("\r\u001b[K")).toBe(true);
  });

  it("shows no share and no time left while the total is not known", () => {
    const { progress, turnTo, text } = shown("bar");
    turnTo(400);
    progress.show({ files: 7, bytes: mib });
    expect(text()).toContain("7 files  1.0 MiB");
    expect(text()).not.toMatch(/%|left/);
  });

  it("is silent for what is over in a moment, and with none", () => {
    const quick = shown("bar");
    quick.turnTo(200);
    quick.progress.show({ files: 1, bytes: 1, totalBytes: 2 });
    quick.progress.end();
    const none = shown("none");
    none.turnTo(9_000);
    none.progress.show({ files: 1, bytes: 1, totalBytes: 2 });
    expect(quick.text() + none.text()).toBe("");
  });

  it("stays on one line of a narrow terminal, whatever a file is called", () => {
    const { progress, turnTo, text } = shown("bar", 40);
    turnTo(400);
    progress.show({ files: 1, bytes: 1, totalBytes: 2, path: `${"long/".repeat(30)}\u001b[31mname\n` });
    const [line = ""] = text().split("\u001b[K");
    expect(line.slice(1).length).toBeLessThan(40);
    expect(line).not.toMatch(/[\u001b\n]/);
  });

  it("tells the rate of the last seconds, not that since the start", () => {
    const { progress, turnTo, text } = shown("lines");
    for (const [second, bytes] of [
      [2, 100],
      [4, 200],
      [6, 200],
      [8, 200],
      [10, 200],
      [12, 200],
    ] as const) {
      turnTo(second * 1_000);
      progress.show({ files: 1, bytes: bytes * mib });
    }
    expect(text().trim().split("\n").at(-1)).toBe("talaria: 1 file, 200 MiB, 0 B/s");
  });
});
