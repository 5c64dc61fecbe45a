import { describe, expect, it } from "vitest";
import { readMoment } from "../../src/audit/moment.js";
import { modeText, octal } from "../../src/files/stat-member.js";
import { formatBytes, formatSpan } from "../../src/output/amounts.js";
import { pathBytes, pathMember, visiblePath } from "../../src/output/path-text.js";

describe("amounts for people", () => {
  it.each([
    [0, "0 B"],
    [1023, "1023 B"],
    [1536, "1.5 KiB"],
    [200 * 1024 ** 2, "200 MiB"],
    [2 * 1024 ** 3, "2.0 GiB"],
  ])("shows %d bytes as %s", (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  it.each([
    [-5, "0 s"],
    [59_400, "59 s"],
    [125_000, "2 min 5 s"],
    [7_200_000, "2 h"],
    [180_000_000, "2 d 2 h"],
  ])("shows %d ms as %s", (ms, text) => {
    expect(formatSpan(ms)).toBe(text);
  });
});

describe("the path of a file", () => {
  const strange = "caf\udce9/\u{1f600}";

  it("has the bytes the sandbox has, where they are no UTF-8 too", () => {
    expect(pathBytes(strange)).toEqual(
      Buffer.concat([Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x2f]), Buffer.from("\u{1f600}")]),
    );
    expect(pathBytes("\u{1f600}")).toEqual(Buffer.from("\u{1f600}"));
  });

  it("is in base64 in a document only where it has to be", () => {
    expect(pathMember("path", "a b")).toEqual({ path: "a b" });
    expect(pathMember("path", strange)).toEqual({ path_base64: pathBytes(strange).toString("base64") });
  });

  it("shows what it is made of on a terminal, and acts on nothing", () => {
    expect(visiblePath("a\u001b[2Jb\nc")).toBe("a\\x1b[2Jb\\nc");
    expect(visiblePath(strange)).toBe("caf\\xe9/\u{1f600}");
  });
});

describe("permissions", () => {
  it.each([
    ["file", 0o644, "-rw-r--r--"],
    ["directory", 0o1777, "drwxrwxrwt"],
    ["file", 0o4755, "-rwsr-xr-x"],
    ["symlink", 0o2640, "lrw-r-S---"],
  ] as const)("of a %s %o look as ls has them", (type, mode, text) => {
    expect(modeText(type, mode)).toBe(text);
  });

  it("have four digits in octal", () => {
    expect([octal(0o644), octal(0o4755)]).toEqual(["0644", "4755"]);
  });
});

describe("--since", () => {
  it("is a span before now, or a moment", () => {
    expect(Math.abs(Date.now() - readMoment("2h").getTime() - 7_200_000)).toBeLessThan(1_000);
    expect(readMoment("2026-12-01T08:00:00Z").toISOString()).toBe("2026-12-01T08:00:00.000Z");
    expect(readMoment("2026-12-01")).toEqual(new Date("2026-12-01T00:00"));
  });

  it.each(["soon", "2 fortnights", "12", ""])("is refused as %j", (text) => {
    expect(() => readMoment(text)).toThrow(/neither a span nor a moment/);
  });
});
