import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bashVersion, isNewEnough } from "../src/bash/bash-version.js";
import { bashCandidates, findBash } from "../src/bash/find-bash.js";
import { bashCheck } from "../src/doctor/doctor-checks.js";
import { openEnvironment, runBash, temporaryFolder } from "./local-bed.js";

/** A folder with a program `bash` that answers as a bash of that version would. */
async function folderWithBash(version: string): Promise<string> {
  const folder = join(await temporaryFolder(), "bin");
  await mkdir(folder);
  await writeFile(join(folder, "bash"), `#!/bin/sh\necho '${version}'\n`);
  await chmod(join(folder, "bash"), 0o755);
  return folder;
}

describe("the search for bash", () => {
  test("takes the first in PATH that is new enough", async () => {
    const old = await folderWithBash("3.2.57(1)-release");
    const young = await folderWithBash("5.1.4(1)-release");
    expect(await findBash(undefined, `${old}:${young}`)).toMatchObject({
      kind: "found",
      path: join(young, "bash"),
      version: { major: 5, minor: 1 },
    });
  });

  test("goes past one that is broken to the usual places", async () => {
    const broken = await folderWithBash("not a version");
    expect(await findBash(undefined, broken)).toMatchObject({ kind: "found" });
  });

  test("takes the one the user named and no other, old or not", async () => {
    const old = await folderWithBash("3.2.57(1)-release");
    const search = await findBash(join(old, "bash"), "/usr/bin:/bin");
    expect(search).toMatchObject({ kind: "tooOld", path: join(old, "bash") });
    expect(bashCheck(search).status).toBe("failed");
    expect(bashCheck(search).detail).toContain("3.2.57");
  });

  test("says missing when the named one is not there", async () => {
    const search = await findBash("/no/such/bash", "/usr/bin:/bin");
    expect(search).toEqual({ kind: "missing" });
    expect(bashCheck(search).hint).toContain("terminal.backends.local.shell");
  });

  test("looks nowhere in a relative part of PATH", () => {
    expect(bashCandidates(undefined, ".:bin::")).toEqual(bashCandidates(undefined, ""));
  });
});

describe("the bash that was named", () => {
  test("is the one that commands run in", async () => {
    const path = join(await temporaryFolder(), "bash");
    await symlink("/bin/bash", path);
    const environment = openEnvironment({ bash: path });
    expect((await runBash(environment, 'echo "$BASH"')).stdout).toBe(`${path}\n`);
    expect((await environment.execute('echo "$BASH"')).output).toBe(`${path}\n`);
  });
});

describe("a version of bash", () => {
  test.each([
    ["3.2", false],
    ["4.0", false],
    ["4.1", true],
    ["4.4", true],
    ["5.0", true],
    ["10.0", true],
  ])("%s is new enough: %s", (text, expected) => {
    const [major = 0, minor = 0] = text.split(".").map(Number);
    expect(isNewEnough({ major, minor, text })).toBe(expected);
  });

  test("is asked of the program itself", async () => {
    expect(await bashVersion("/bin/bash")).toMatchObject({ major: expect.any(Number) as number });
  });

  test("of a program that hangs is unknown after a short while", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "bash"), "#!/bin/sh\nexec sleep 60\n", { mode: 0o755 });
    const begin = performance.now();
    expect(await bashVersion(join(folder, "bash"))).toBeUndefined();
    expect(performance.now() - begin).toBeLessThan(2_000);
  });
});
