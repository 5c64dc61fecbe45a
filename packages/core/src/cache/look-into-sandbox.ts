import { randomBytes } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makePrivateFolder } from "../config/private-folder.js";
import type { CacheShell } from "./cache-shell.js";
import { maxRecordBytes, readRecord, type SandboxRecord } from "./sandbox-record.js";
import { lookScript } from "./sandbox-scripts.js";
import { cacheFolder } from "./scan-host.js";

/** What a sandbox has, and what it can do. */
export interface SandboxView {
  readonly generation: number;
  /** The base is the host's own folder, by a mount or because the sandbox is this host. */
  readonly isShared: boolean;
  readonly hasTar: boolean;
  /** The base without links on its way; undefined while there is none. */
  readonly physicalBase: string | undefined;
  readonly record: SandboxRecord;
}

export interface LookOptions {
  readonly shell: CacheShell;
  readonly base: string;
  readonly talariaHome: string;
  readonly homeId: string;
  /** The host has something to send: then it matters whether it would be sent onto itself. */
  readonly hasFiles: boolean;
  readonly signal: AbortSignal | undefined;
}

/** One round trip. */
export async function lookIntoSandbox(options: LookOptions): Promise<SandboxView> {
  const { shell, base, homeId, signal } = options;
  const probe = `.cache-sync-${randomBytes(16).toString("hex")}`;
  const path = options.hasFiles ? await placeProbe(options.talariaHome, probe) : undefined;
  try {
    const { output } = await shell.run(lookScript(base, homeId, probe), {
      signal,
      maxAnswerBytes: maxRecordBytes,
    });
    const [place, tar, physical, ...record] = output.split("\n");
    if (shell.generation === undefined || (place !== "own" && place !== "shared")) {
      throw shell.error(`the sandbox did not answer as a shell does: ${output.slice(0, 100)}`);
    }
    return {
      generation: shell.generation,
      isShared: place === "shared",
      hasTar: tar === "tar",
      physicalBase: physical?.startsWith("/") === true ? physical : undefined,
      record: readRecord(record.join("\n")) ?? new Map(),
    };
  } finally {
    if (path !== undefined) await rm(path, { force: true });
  }
}

/** A file that is seen inside exactly when the base is the host's folder. Undefined where the host cannot be written to. */
async function placeProbe(talariaHome: string, name: string): Promise<string | undefined> {
  const folder = join(talariaHome, cacheFolder);
  try {
    await makePrivateFolder(folder);
    await writeFile(join(folder, name), "", { flag: "wx", mode: 0o600 });
    return join(folder, name);
  } catch {
    return undefined;
  }
}
