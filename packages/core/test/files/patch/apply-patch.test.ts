import { beforeEach, describe, expect, test } from "vitest";
import { EnvironmentConnectionError, FileError } from "../../../src/errors/errors.js";
import { applyPatch } from "../../../src/files/patch/apply-patch.js";
import { patchFile } from "../../../src/files/patch/patch-file.js";
import { MemoryPatchStore } from "./memory-patch-store.js";

let store: MemoryPatchStore;

beforeEach(() => {
  store = new MemoryPatchStore();
  store.put("one", "1\n", { mode: 0o755 });
  store.put("two", "2\n");
  store.put("three", "3\n");
});

const all = [
  "*** Begin Patch",
  "*** Update File: one",
  "-1",
  "+one",
  "*** Add File: new/file",
  "+new",
  "*** Delete File: two",
  "*** Update File: three",
  "*** Move to: moved",
  "-3",
  "+three",
  "*** End Patch",
].join("\n");

const untouched = { "/work/one": "1\n", "/work/two": "2\n", "/work/three": "3\n" };

async function failureOf(call: Promise<unknown>): Promise<FileError> {
  const error: unknown = await call.then(
    () => new Error("nothing was refused"),
    (reason: unknown) => reason,
  );
  if (error instanceof FileError) return error;
  throw error;
}

describe("a patch of several files", () => {
  test("does all it says, and tells and reports each file once", async () => {
    const { files } = await applyPatch(store, all, {});
    expect(store.texts).toEqual({
      "/work/moved": "three\n",
      "/work/new/file": "new\n",
      "/work/one": "one\n",
    });
    expect(files.map(({ operation, path, version }) => [operation, path, version === null])).toEqual([
      ["update", "/work/one", false],
      ["add", "/work/new/file", false],
      ["delete", "/work/two", true],
      ["move", "/work/moved", false],
    ]);
    expect(files[3]).toMatchObject({
      movedFrom: "/work/three",
    });
    expect(files[3]?.diff).toContain("--- three\n+++ moved\n");
    expect(store.events).toMatchObject([
      { operation: "patch", path: "/work/one" },
      { operation: "patch", path: "/work/new/file" },
      { operation: "patch", path: "/work/two" },
      { operation: "patch", path: "/work/three", otherPath: "/work/moved" },
    ]);
    expect(store.files.get("/work/one")?.mode).toBe(0o755);
  });

  test("refuses lines that were copied from masked output, and says so", async () => {
    const masked = all.replace("-3", "-3 [redacted:TOKEN]");
    expect((await failureOf(applyPatch(store, masked, {}))).message).toMatch(/stands for a secret/);
    expect(store.texts).toEqual(untouched);
  });

  test("writes nothing when its last hunk does not fit", async () => {
    const error = await failureOf(applyPatch(store, all.replace("-3", "-nothing like it"), {}));
    expect([error.reason, error.path]).toEqual(["no_match", "three"]);
    expect(store.texts).toEqual(untouched);
    expect(store.events).toEqual([]);
  });

  // Calls that change something: write one, write new/file, remove two, write moved, remove three.
  test.each([1, 2, 3, 4, 5])("puts everything back when its change number %i fails", async (failing) => {
    store.before = (call, number) => {
      if (number === failing) throw new FileError(call, "no_space", "No space is left.");
    };
    const error = await failureOf(applyPatch(store, all, {}));
    expect(error.reason).toBe("no_space");
    expect(error.message).toContain("Nothing of the patch remains.");
    expect(store.texts).toEqual(untouched);
    expect(store.files.get("/work/one")?.mode).toBe(0o755);
  });

  test.each([1, 2, 4])(
    "puts back what was done though its answer was lost: change number %i",
    async (failing) => {
      store.after = (_, number) => {
        if (number === failing)
          throw new EnvironmentConnectionError("The link is gone.", { retryHint: "Wait." });
      };
      await expect(applyPatch(store, all, {})).rejects.toThrow(/The link is gone/);
      expect(store.texts).toEqual(untouched);
    },
  );

  test("leaves alone what others made of a file since, and says so", async () => {
    store.before = (_, number) => {
      if (number !== 2) return;
      store.put("one", "theirs\n");
      throw new FileError("new/file", "permission", "It may not be written.");
    };
    const error = await failureOf(applyPatch(store, all, {}));
    expect(store.texts).toMatchObject({ "/work/one": "theirs\n" });
    expect(error.message).toMatch(/Not put back.*"one" \(one was changed|Not put back.*"one" \(/);
    expect(error.message).toContain('Not touched: "two", "three".');
  });

  test("keeps a file that others changed after it was looked at", async () => {
    store.after = (_, number) => {
      if (number === 1) store.put("two", "theirs\n");
    };
    const error = await failureOf(applyPatch(store, all, {}));
    expect(error.reason).toBe("changed");
    expect(store.texts).toEqual({ ...untouched, "/work/two": "theirs\n" });
  });

  test("removes no file that others added with the very same text", async () => {
    store.before = (_, number) => {
      if (number === 2) store.put("new/file", "new\n");
    };
    const error = await failureOf(applyPatch(store, all, {}));
    expect(error.reason).toBe("changed");
    expect(store.texts).toEqual({ ...untouched, "/work/new/file": "new\n" });
  });

  test("tells what would come of it in a dry run, and does nothing", async () => {
    const { files } = await applyPatch(store, all, { dryRun: true });
    expect(files.map(({ linesAdded, linesRemoved }) => [linesAdded, linesRemoved])).toEqual([
      [1, 1],
      [1, 0],
      [0, 1],
      [1, 1],
    ]);
    expect(store.texts).toEqual(untouched);
    expect(store.events).toEqual([]);
  });

  test.each([
    ["adds a file that is there", ["*** Add File: one", "+x"], "exists"],
    ["moves a file over another", ["*** Update File: one", "*** Move to: two"], "exists"],
    ["updates a file that is not there", ["*** Update File: none", "-x", "+y"], "not_found"],
    [
      "deletes a file and updates it",
      ["*** Delete File: one", "*** Update File: one", "-1", "+x"],
      "invalid",
    ],
    ["adds a file twice", ["*** Add File: new", "+x", "*** Add File: new", "+y"], "invalid"],
    [
      "moves two files to one place",
      ["*** Update File: one", "*** Move to: x", "*** Update File: two", "*** Move to: x"],
      "invalid",
    ],
  ] as const)("is refused when it %s", async (_, lines, reason) => {
    const patch = ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
    expect((await failureOf(applyPatch(store, patch, {}))).reason).toBe(reason);
    expect(store.texts).toEqual(untouched);
  });

  test("is refused when it deletes a symbolic link", async () => {
    store.put("link", "1\n", { type: "symlink" });
    const patch = "*** Begin Patch\n*** Delete File: link\n*** End Patch";
    expect((await failureOf(applyPatch(store, patch, {}))).reason).toBe("refused");
  });

  test("goes on in a file that it names twice", async () => {
    const patch =
      "*** Begin Patch\n*** Update File: one\n-1\n+x\n*** Update File: /work/one\n x\n+y\n*** End Patch";
    const { files } = await applyPatch(store, patch, {});
    expect(store.texts["/work/one"]).toBe("x\ny\n");
    expect(files).toHaveLength(1);
    expect(files[0]?.edits).toHaveLength(2);
  });

  test("moves a file without changing it", async () => {
    await applyPatch(store, "*** Begin Patch\n*** Update File: one\n*** Move to: sub/one\n*** End Patch", {});
    expect(store.texts).toEqual({ "/work/sub/one": "1\n", "/work/three": "3\n", "/work/two": "2\n" });
    expect(store.files.get("/work/sub/one")?.mode).toBe(0o755);
  });
});

describe("a patch of one file", () => {
  test("is made anew when others change the file meanwhile", async () => {
    store.put("list", "a\nb\n");
    store.before = (_, number) => {
      if (number === 1) store.put("list", "new\na\nb\n");
    };
    await patchFile(store, "list", [{ find: "b", replace: "B" }], {});
    expect(store.texts["/work/list"]).toBe("new\na\nB\n");
  });

  test("gives up when the file never stands still", async () => {
    let count = 0;
    store.before = () => {
      count += 1;
      store.put("one", `1\n${"-".repeat(count)}\n`);
    };
    const error = await failureOf(patchFile(store, "one", [{ find: "1\n", replace: "x\n" }], {}));
    expect([error.reason, count]).toEqual(["changed", 4]);
    expect(store.events).toMatchObject([
      { operation: "patch", path: "one", error: "FileError: /work/one was changed" },
    ]);
  });

  test("is not made anew for one who asked for a version", async () => {
    const { version } = await store.read("one");
    store.before = () => store.put("one", "1\nmore\n");
    const call = patchFile(store, "one", [{ find: "1\n", replace: "x\n" }], { ifVersion: version });
    expect((await failureOf(call)).reason).toBe("changed");
    expect(store.texts["/work/one"]).toBe("1\nmore\n");
  });

  test("without edits, or with one that has no text, is refused", async () => {
    await expect(patchFile(store, "one", [], {})).rejects.toThrow(/without edits/);
    const wrong = { find: "a", replace: "b" };
    Reflect.deleteProperty(wrong, "replace");
    await expect(patchFile(store, "one", [wrong], {})).rejects.toThrow(/Edit 1 has no text/);
  });
});
