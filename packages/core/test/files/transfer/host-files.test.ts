import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openSession } from "../../../src/session/open-session.js";
import type { TerminalSession } from "../../../src/session/terminal-session.js";
import { temporaryFolder } from "../../support/host-shell.js";
import { HostFileEnvironment } from "./host-file-environment.js";

const systemPath = process.env["PATH"] ?? "";

interface Bed {
  readonly environment: HostFileEnvironment;
  readonly session: TerminalSession;
  readonly folder: string;
  /** Of the file `f` in the folder. */
  readonly bytes: Buffer;
}

/** A session, and a folder with a file and a directory `to` in it. `cat` is shell text that stands in for the program. */
async function bed(acceptsHostFiles: boolean, cat?: string): Promise<Bed> {
  const bin = await temporaryFolder();
  if (cat !== undefined) {
    writeFileSync(join(bin, "cat"), `#!/bin/sh\n${cat}\n`);
    chmodSync(join(bin, "cat"), 0o755);
  }
  const environment = new HostFileEnvironment(`${bin}:${systemPath}`, bin, acceptsHostFiles);
  const session = await openSession({ backend: environment, talariaHome: await temporaryFolder() });
  onTestFinished(async () => {
    await session.close();
  });
  const folder = await temporaryFolder();
  const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => (index * 31) % 253));
  writeFileSync(join(folder, "f"), bytes);
  mkdirSync(join(folder, "to"));
  return { environment, session, folder, bytes };
}

/** Both ways of one file, each with the name that it is asked to get. */
const ways = {
  upload: ({ session, folder }: Bed, options: object) =>
    session.files.upload(join(folder, "f"), join(folder, "to/x"), options),
  download: ({ session, folder }: Bed, options: object) =>
    session.files.download(join(folder, "f"), join(folder, "to/x"), options),
} as const;

describe("a single file where the sandbox takes open files of this machine", () => {
  for (const [way, transfer] of Object.entries(ways)) {
    it(`never passes through this process on the ${way}, and is checked all the same`, async () => {
      const place = await bed(true);
      chmodSync(join(place.folder, "f"), 0o640);
      const told: number[] = [];
      const result = await transfer(place, {
        verify: true,
        onProgress: ({ bytes }: { bytes: number }) => told.push(bytes),
      });
      expect(place.environment.given).toBe(1);
      expect(result).toMatchObject({ bytes: place.bytes.length, verified: "sha256", notes: [] });
      expect(readFileSync(join(place.folder, "to/x")).equals(place.bytes)).toBe(true);
      expect(statSync(join(place.folder, "to/x")).mode & 0o777).toBe(0o640);
      expect(told[0]).toBe(0);
      expect(told.at(-1)).toBe(place.bytes.length);
    });
  }

  it("tells how far it is while the kernel copies", async () => {
    // It goes on when the half was told.
    const place = await bed(
      true,
      "head -c 1500000; until [ -e ../go ]; do sleep 0.05; done; head -c 1500000",
    );
    const told: number[] = [];
    await ways.upload(place, {
      onProgress({ bytes }: { bytes: number }) {
        told.push(bytes);
        if (bytes === 1_500_000) writeFileSync(join(place.folder, "go"), "");
      },
    });
    expect(told).toContain(1_500_000);
    expect(told.at(-1)).toBe(3_000_000);
  });

  it("reads a file that tells no size as a stream", async () => {
    const { environment, session, folder } = await bed(true);
    await session.files.upload("/proc/version", join(folder, "to/up"));
    await session.files.download("/proc/version", join(folder, "to/down"));
    expect(environment.given).toBe(0);
    expect(readFileSync(join(folder, "to/up"), "utf8")).toBe(readFileSync("/proc/version", "utf8"));
    expect(readFileSync(join(folder, "to/down"), "utf8")).toBe(readFileSync("/proc/version", "utf8"));
  });
});

for (const acceptsHostFiles of [true, false]) {
  describe(`a single file ${acceptsHostFiles ? "given away as an open file" : "over a pipe"}`, () => {
    for (const [way, transfer] of Object.entries(ways)) {
      it(`leaves nothing of the ${way} that is cancelled`, async () => {
        const place = await bed(acceptsHostFiles, "sleep 3600");
        const cancel = new AbortController();
        place.environment.afterStart = () => cancel.abort(new Error("enough"));
        await expect(transfer(place, { signal: cancel.signal })).rejects.toThrow("enough");
        expect(readdirSync(join(place.folder, "to"))).toEqual([]);
      });

      it(`leaves nothing of the ${way} whose process is killed`, async () => {
        const place = await bed(acceptsHostFiles, "sleep 3600");
        place.environment.afterStart = (process) => void process.kill("SIGKILL");
        await expect(transfer(place, {})).rejects.toMatchObject({ code: "file", reason: "io" });
        expect(readdirSync(join(place.folder, "to"))).toEqual([]);
      });

      it(`leaves nothing of the ${way} whose progress throws`, async () => {
        const place = await bed(acceptsHostFiles);
        const onProgress = (): never => {
          throw new Error("nobody listens");
        };
        await expect(transfer(place, { onProgress })).rejects.toThrow("nobody listens");
        expect(readdirSync(join(place.folder, "to"))).toEqual([]);
      });

      it(`says that no space is left on the ${way}, and leaves nothing`, async () => {
        const place = await bed(
          acceptsHostFiles,
          "head -c 100000; echo 'cat: write error: No space left on device' >&2; exit 1",
        );
        await expect(transfer(place, {})).rejects.toMatchObject({ code: "file", reason: "no_space" });
        expect(readdirSync(join(place.folder, "to"))).toEqual([]);
      });

      it(`says that it cannot be read to its end on the ${way}, and leaves nothing`, async () => {
        const place = await bed(
          acceptsHostFiles,
          "head -c 100000 </dev/zero; echo 'cat: f: Input/output error' >&2; exit 1",
        );
        await expect(transfer(place, {})).rejects.toMatchObject({ code: "file", reason: "io" });
        expect(readdirSync(join(place.folder, "to"))).toEqual([]);
      });

      it(`finds by its sum that it was damaged on the ${way}`, async () => {
        const place = await bed(acceptsHostFiles, "head -c 3000000 /dev/zero");
        await expect(transfer(place, { verify: true })).rejects.toMatchObject({ reason: "changed" });
        expect(readdirSync(join(place.folder, "to"))).toEqual([]);
      });

      it(`refuses the ${way} above the limit before anything is started`, async () => {
        const place = await bed(acceptsHostFiles);
        let started = 0;
        place.environment.beforeStart = () => void (started += 1);
        const limits = { maxBytes: 2_999_999 };
        await expect(transfer(place, { limits })).rejects.toMatchObject({ reason: "too_large" });
        expect(started).toBe(0);
        await transfer(place, { limits: { maxBytes: 3_000_000 } });
        expect(started).toBe(1);
      });
    }

    it("goes up as large as it was when it was opened", async () => {
      const place = await bed(acceptsHostFiles);
      place.environment.beforeStart = () => appendFileSync(join(place.folder, "f"), "more");
      const { bytes } = await ways.upload(place, { verify: true });
      expect(bytes).toBe(3_000_000);
      expect(readFileSync(join(place.folder, "to/x")).equals(place.bytes)).toBe(true);
    });

    it("does not go up when it got shorter", async () => {
      const place = await bed(acceptsHostFiles);
      place.environment.beforeStart = () => truncateSync(join(place.folder, "f"), 10);
      await expect(ways.upload(place, {})).rejects.toMatchObject({ code: "file", reason: "changed" });
      expect(readdirSync(join(place.folder, "to"))).toEqual([]);
    });

    it("does not come down when it outgrew the limit meanwhile", async () => {
      const place = await bed(acceptsHostFiles);
      place.environment.beforeStart = () => appendFileSync(join(place.folder, "f"), "more");
      const limits = { maxBytes: 3_000_000 };
      await expect(ways.download(place, { limits })).rejects.toMatchObject({ reason: "too_large" });
      expect(readdirSync(join(place.folder, "to"))).toEqual([]);
    });
  });
}

describe("a session", () => {
  it("gives no open file to a sandbox that would not take it", async () => {
    const { session } = await bed(false);
    const spawning = session.spawn(["cat"], { stdinFile: 0 });
    await expect(spawning).rejects.toMatchObject({ code: "unsupported", capability: "hostFiles" });
  });
});
