import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The directory scripts run in: the same path with the same files for both shells, made anew for each run. */
export class FuzzFolder {
  readonly #root = mkdtempSync(join(tmpdir(), "fuzz-"));
  /** Scripts may leave it by `cd ..`, which ends in a folder that is emptied too. */
  readonly home = join(this.#root, "home");
  readonly cwd = join(this.home, "work");

  fill(): void {
    rmSync(this.home, { recursive: true, force: true });
    mkdirSync(join(this.cwd, "sub"), { recursive: true });
    writeFileSync(join(this.cwd, "a.txt"), "one\ntwo words\nlast without newline");
    writeFileSync(join(this.cwd, "b.txt"), "");
    writeFileSync(join(this.cwd, "c d.txt"), "spaced\n");
    writeFileSync(join(this.cwd, "lib.sh"), 'lib() { echo "lib:$v"; return 2; }\n');
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}
