import { fromShellBytes } from "../../shell/shell-bytes.js";
import type { TransferOptions } from "./transfer-options.js";

const leastMs = 100;

/** Tells a caller how far a transfer is, not more often than anybody can read. */
export class ProgressMeter {
  readonly #onProgress: TransferOptions["onProgress"];
  #toldAtMs = -leastMs;
  #current = "";
  totalBytes: number | undefined;
  totalFiles: number | undefined;

  constructor(onProgress: TransferOptions["onProgress"]) {
    this.#onProgress = onProgress;
  }

  /** @param current bytes, one character each */
  update(counts: { readonly bytes: number; readonly files: number }, current: string): void {
    this.#current = current;
    if (this.#onProgress === undefined) return;
    const nowMs = performance.now();
    if (nowMs - this.#toldAtMs < leastMs) return;
    this.#toldAtMs = nowMs;
    this.#tell(counts);
  }

  /** Once, after the last byte. */
  finish(counts: { readonly bytes: number; readonly files: number }): void {
    this.#tell(counts);
  }

  #tell({ bytes, files }: { readonly bytes: number; readonly files: number }): void {
    this.#onProgress?.({
      bytes,
      files,
      ...(this.totalBytes === undefined ? {} : { totalBytes: this.totalBytes }),
      ...(this.totalFiles === undefined ? {} : { totalFiles: this.totalFiles }),
      current: fromShellBytes(this.#current.replace(/^\.\//, "")),
    });
  }
}
