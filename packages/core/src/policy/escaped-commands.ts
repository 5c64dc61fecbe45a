const bang = /(?:^|[\s|:%])!{1,2}\s*(?!=)(\S[^\n]*)/gu;
const quotedSystem = /\bsystem\s*\(\s*["']([^"'\n]+)["']/gu;

/** How texts for a program that is no shell have a shell run something. The first group is shell text. */
const escapes = new Map<string, readonly RegExp[]>();

function escape(names: readonly string[], ...patterns: readonly RegExp[]): void {
  for (const name of names) escapes.set(name, patterns);
}

escape(["vi", "vim", "nvim", "view", "ex", "emacs"], bang, quotedSystem, /\(shell-command\s+"([^"\n]+)"/gu);
escape(["ed", "red"], /^(?:\d*,?\$?\d*[rweW]?\s*)!(\S[^\n]*)/gmu);
escape(["less", "more"], /^\+?!(\S[^\n]*)/gmu);
escape(["ftp", "sftp", "telnet"], /^\s*!(\S[^\n]*)/gmu);
escape(
  ["gdb", "lldb"],
  /(?:^|\s)(?:shell|platform shell|make)\s+(\S[^\n]*)/gmu,
  /^!(\S[^\n]*)/gmu,
  quotedSystem,
);
escape(["sqlite3", "duckdb"], /\.(?:shell|system)\s+(\S[^\n]*)/gu);
escape(["psql", "mysql", "mariadb"], /\\!\s*(\S[^\n]*)/gu, /^\s*system\s+(\S[^\n]*)/gmu);
escape(["tclsh", "wish", "expect"], /\b(?:exec|spawn|system)\s+([^\]\n;]+)/gu);
escape(["jshell"], /\bexec\s*\(\s*"([^"\n]+)"/gu);
escape(["make", "gmake"], /^(?:\t|[^\s:#=]+\s*:[^=;\n]*;)[@+-]*([^\n]+)/gmu, /\$\(shell\s+([^)\n]+)\)/gu);

const sedNames = /^g?sed$/u;
/** `1e command` and `s/a/b/e`: GNU sed runs the command, or what the replacement has made. */
const sedCommand = /(?:^|[;{\n])\s*(?:\d+|\$|\/[^/]*\/)?\s*e\s+([^\n]+)/gu;
const sedReplaced =
  /(?:^|[;{\n])\s*(?:\d+|\$|\/[^/]*\/)?\s*s(.)((?:\\.|(?!\1).)*)\1((?:\\.|(?!\1).)*)\1[gpimIM\d]*e/gu;

/** What is looked at of a text. */
const maximalLength = 65_536;

/**
 * Shell texts that editors, debuggers, database clients and makefiles run, from their words and their stdin. Undefined
 * when there are none.
 */
export function escapedCommands(
  name: string,
  words: readonly string[],
  input: string | undefined,
): readonly string[] | undefined {
  const patterns = escapes.get(name);
  const isSed = sedNames.test(name);
  if (patterns === undefined && !isSed) return undefined;
  const texts = [...words.slice(1), ...(isSed || input === undefined ? [] : [input])];
  const found = texts
    .map((text) => text.slice(0, maximalLength))
    .flatMap((text) =>
      isSed
        ? [
            ...matches(text, sedCommand),
            ...[...text.matchAll(sedReplaced)].map((match) => (match[3] ?? "").replaceAll("\\/", "/")),
          ]
        : (patterns ?? []).flatMap((pattern) => matches(text, pattern)),
    );
  return found.length === 0 ? undefined : found;
}

function matches(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map((match) => match[1] ?? "");
}
