import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** Folders of one test, removed with it. */
export interface TemporaryHome {
  /** Serves as `<TALARIA_HOME>`. */
  readonly home: string;
  /** A project folder below another one. */
  readonly project: string;
  /** Where `config.yaml` is or would be. */
  readonly file: string;
  write(path: string, text: string): string;
  read(path?: string): string;
}

export function temporaryHome(config?: string): TemporaryHome {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "talaria-config-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const home = join(root, "home");
  const project = join(root, "work", "project");
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(project, { recursive: true });
  const file = join(home, "config.yaml");
  const write = (path: string, text: string): string => {
    const target = join(root, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
    return target;
  };
  if (config !== undefined) writeFileSync(file, config);
  return { home, project, file, write, read: (path = file) => readFileSync(path, "utf8") };
}
