import { describe, expect, it } from "vitest";
import { signalName, signalNumber } from "../../src/shell/signal-names.js";
import { realBash } from "../support/real-bash.js";

describe("signal names", () => {
  it("are those of a Linux bash, whatever the host is", () => {
    const { stdout } = realBash('for ((i = 1; i < 32; i++)); do echo "$i $(kill -l $i)"; done\n');
    const listed = stdout
      .trim()
      .split("\n")
      .map((line) => line.split(" "));
    expect(listed.map(([number]) => signalName(Number(number)))).toEqual(
      listed.map(([, name]) => `SIG${name}`),
    );
  });

  it("go both ways, with and without SIG", () => {
    for (let number = 1; number < 32; number++) expect(signalNumber(signalName(number))).toBe(number);
    expect(signalNumber("TERM")).toBe(15);
    expect(signalNumber("SIGNOPE")).toBeUndefined();
  });

  it("are numbers where there is no name", () => {
    expect(signalName(40)).toBe("SIG40");
  });
});
