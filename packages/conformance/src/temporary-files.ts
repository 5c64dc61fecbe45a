import type { SessionUnderTest } from "./session-under-test.js";

/** Files in the folders, or those with a name of Talaria's, and whatever any process of the sandbox has open. */
const look = `
list() { [ ! -e "$1" ] || printf 'file %s\\n' "$1"; }
for file in "$OWN"/*; do list "$file"; done
if [ "$SHARED" = no ]; then
  for file in /tmp/talaria-* /dev/shm/talaria-* "\${TMPDIR:-/tmp}"/talaria-*; do
    case $file in */talaria-conformance*) ;; *) list "$file" ;; esac
  done
fi
find /proc/[0-9]*/fd -type l -exec ls -l {} + 2>/dev/null | sed -n 's/^.* -> \\(\\/.*\\)$/open \\1/p'
:`;

/** Without what follows the first dot of its name: files of one owner differ in that only. */
function stemOf(path: string): string {
  const name = path.lastIndexOf("/") + 1;
  const dot = path.indexOf(".", name);
  return dot === -1 ? path : path.slice(0, dot);
}

/** Where to look for files. */
export interface TemporaryFilesOptions {
  /** The environment's folder for its files. */
  readonly own: string;
  /** Others work on the machine: files outside that folder may be anybody's and are not looked at. */
  readonly isShared: boolean;
}

/**
 * Finds files that nobody uses any more. A machine may have other sessions whose files come and go: what is left behind
 * is what is there at every look, belongs to nobody, and was not there before.
 */
export class TemporaryFiles {
  readonly #observer: SessionUnderTest;
  readonly #options: TemporaryFilesOptions;
  #before: ReadonlySet<string> = new Set();
  #abandoned: readonly string[] | undefined;

  constructor(observer: SessionUnderTest, options: TemporaryFilesOptions) {
    this.#observer = observer;
    this.#options = options;
  }

  async rememberWhatIsThere(): Promise<void> {
    this.#before = new Set((await this.#look()).files);
  }

  /** Files that were abandoned at this look and at every one before. */
  async abandoned(): Promise<readonly string[]> {
    const { files, inUse } = await this.#look();
    const now = files.filter((path) => !this.#before.has(path) && !inUse.has(stemOf(path)));
    this.#abandoned = this.#abandoned?.filter((path) => now.includes(path)) ?? now;
    return this.#abandoned;
  }

  async #look(): Promise<{ readonly files: readonly string[]; readonly inUse: ReadonlySet<string> }> {
    const { own, isShared } = this.#options;
    const { output } = await this.#observer.execute(look, {
      env: { OWN: own, SHARED: isShared ? "yes" : "no" },
      maxOutputBytes: 16_000_000,
    });
    const named = (word: string): readonly string[] =>
      output
        .split("\n")
        .flatMap((line) => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []));
    return { files: [...new Set(named("file"))], inUse: new Set(named("open").map(stemOf)) };
  }
}
