import { describe, expect, test } from "vitest";
import { setConfigValue } from "../../src/config/edit-config.js";
import { loadConfig } from "../../src/config/load-config.js";
import { temporaryHome, type TemporaryHome } from "./temporary-home.js";

function options(place: TemporaryHome): { talariaHome: string } {
  return { talariaHome: place.home };
}

describe("the text of a file", () => {
  const every = `# a
terminal: # section
    # four spaces
    backend: "docker"   # kept   as is


    backends: # more
        acme: # box
            url: 'x'   # y
            # last words of acme

    timeout: 1

plugins: {enabled: [a, b]} # flow
`;

  test.each([
    ["terminal.backend", "ssh", [['"docker"', "ssh"]]],
    ["terminal.timeout", 2, [["timeout: 1", "timeout: 2"]]],
    ["terminal.cwd", "/w", [["    timeout: 1\n", "    timeout: 1\n    cwd: /w\n"]]],
    ["terminal.backends.acme.url", "z", [["'x'", "z"]]],
    ["terminal.backends.acme.tags", ["p", "q"], [["'x'   # y\n", "'x'   # y\n            tags: [p, q]\n"]]],
    [
      "terminal.backends.box.n",
      1,
      [
        [
          "            # last words of acme\n",
          "            # last words of acme\n        box:\n          n: 1\n",
        ],
      ],
    ],
  ] as const)("changes by %s = %j nowhere else", async (key, value, replacements) => {
    const place = temporaryHome(every);
    await setConfigValue(key, value, options(place));
    const expected = replacements.reduce<string>((text, [from, to]) => text.replace(from, to), every);
    expect(place.read()).toBe(expected);
  });

  test("in flow style is edited too", async () => {
    const place = temporaryHome(every);
    await setConfigValue("plugins.enabled", ["a", "c"], options(place));
    const config = await loadConfig({ talariaHome: place.home, cwd: place.project, env: {} });
    expect(config.get("plugins.enabled")).toEqual(["a", "c"]);
    expect(place.read()).toContain("# flow");
  });

  test("keeps the lines and comments of list items that stay", async () => {
    const place = temporaryHome(
      "plugins:\n  enabled:\n    - a # first\n    - b\n    - c # third\n  # after\n",
    );
    await setConfigValue("plugins.enabled", ["a", "c", "@x/d"], options(place));
    expect(place.read()).toBe(
      'plugins:\n  enabled:\n    - a # first\n    - c # third\n    - "@x/d"\n  # after\n',
    );
  });

  test("without a line end at its end is continued on a new line", async () => {
    const place = temporaryHome("terminal:\n  timeout: 1");
    await setConfigValue("terminal.cwd", "/w", options(place));
    expect(place.read()).toBe("terminal:\n  timeout: 1\n  cwd: /w\n");
  });

  test("that is only comments gets the key below them", async () => {
    const place = temporaryHome("# mine\n");
    await setConfigValue("terminal.timeout", 2, options(place));
    expect(place.read()).toBe("# mine\nterminal:\n  timeout: 2\n");
  });
});
