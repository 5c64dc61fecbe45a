/** One simple command of a script, as far as it can be read without running it. */
export interface CommandWord {
  /** The word that names the command. */
  readonly word: string;
  /** The text behind it, up to the end of the command. */
  readonly rest: string;
}

/** After these another command follows. */
const leadingKeywords = new Set(["if", "then", "elif", "else", "while", "until", "do", "!", "time", "{"]);
/** Their syntax is not worth following here. */
const foreignKeywords = new Set(["case", "function", "coproc"]);
const literalWord = /^[A-Za-z0-9_./+:@%,[\]-]+$/;
const assignment = /^[A-Za-z_][A-Za-z0-9_]*\+?=/;

/**
 * The names of all commands that a script runs in its own shell, when each of them can be read off: no name comes from an
 * expansion or a quoted word, and nothing in the script needs more of the grammar than this knows (here-documents,
 * `case`, functions, arithmetic commands, back quotes). Undefined in all other cases. What command substitutions run is
 * left out, because they run in shells of their own.
 */
export function commandWords(script: string): readonly CommandWord[] | undefined {
  if (/`|<<(?!<)|\\\n/.test(script.replaceAll("<<<", "   "))) return undefined;
  const reader = new Reader(script);
  const commands: CommandWord[] = [];
  while (!reader.atEnd) {
    const command = reader.command();
    if (command === "unknown") return undefined;
    if (command !== "none") commands.push(command);
  }
  return commands;
}

class Reader {
  readonly #text: string;
  #at = 0;
  #failed = false;

  constructor(text: string) {
    this.#text = text;
  }

  get atEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Reads up to the end of one command. */
  command(): CommandWord | "none" | "unknown" {
    let word: string | undefined;
    let restStart = 0;
    for (;;) {
      this.#skipBlanks();
      const character = this.#peek();
      if (character === "" || ";&|\n".includes(character)) break;
      if (character === "#") this.#skipLine();
      else if (character === "(" || character === ")") {
        // A bracket opens or closes a subshell where a command may begin; behind a word it is something else.
        if (word !== undefined && character === "(") return "unknown";
        if (this.#text.startsWith("((", this.#at)) return "unknown";
        break;
      } else if (character === "<" || character === ">") this.#redirection();
      else {
        const start = this.#at;
        this.#word();
        const text = this.#text.slice(start, this.#at);
        if (word === undefined && !assignment.test(text) && !leadingKeywords.has(text)) {
          if (/^\d+$/.test(text) && "<>".includes(this.#peek() || " ")) continue;
          if (!literalWord.test(text) || foreignKeywords.has(text)) return "unknown";
          word = text;
          restStart = this.#at;
        }
      }
      if (this.#failed) return "unknown";
    }
    const rest = word === undefined ? "" : this.#text.slice(restStart, this.#at);
    this.#at += 1;
    return word === undefined ? "none" : { word, rest };
  }

  #peek(): string {
    return this.#text.charAt(this.#at);
  }

  #skipBlanks(): void {
    while (this.#peek() === " " || this.#peek() === "\t") this.#at += 1;
  }

  #skipLine(): void {
    const end = this.#text.indexOf("\n", this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }

  /** `>file`, `2>&1`, `<<<word`, `<(…)`: the operator and what it is about. */
  #redirection(): void {
    while ("<>&|".includes(this.#peek() || " ")) this.#at += 1;
    if (this.#peek() === "(") this.#brackets("(", ")");
    else {
      this.#skipBlanks();
      this.#word();
    }
  }

  /** One word with all its quotes and expansions. An array in an assignment is too much. */
  #word(): void {
    while (!this.atEnd && !this.#failed) {
      const character = this.#peek();
      if (" \t\n;&|<>)".includes(character)) return;
      if (character === "(") {
        this.#failed = this.#text.charAt(this.#at - 1) === "=";
        return;
      }
      this.#piece(character);
    }
  }

  #piece(character: string): void {
    if (character === "\\") this.#at += 2;
    else if (character === "'") this.#singleQuoted();
    else if (character === '"') this.#doubleQuoted();
    else if (character === "$") this.#expansion();
    else this.#at += 1;
  }

  #singleQuoted(): void {
    const end = this.#text.indexOf("'", this.#at + 1);
    this.#at = end < 0 ? this.#text.length : end + 1;
  }

  #doubleQuoted(): void {
    this.#at += 1;
    while (!this.atEnd && this.#peek() !== '"') {
      if (this.#peek() === "\\") this.#at += 2;
      else if (this.#peek() === "$") this.#expansion();
      else this.#at += 1;
    }
    this.#at += 1;
  }

  #expansion(): void {
    this.#at += 1;
    const next = this.#peek();
    if (next === "(") this.#brackets("(", ")");
    else if (next === "{") this.#brackets("{", "}");
    else if (next === "'") {
      // $'…' knows \' inside.
      this.#failed = true;
    } else if (next !== '"' && next !== "") this.#at += 1;
  }

  /** A bracketed part with everything in it. Comments and `case` could hold brackets that have no partner. */
  #brackets(open: string, close: string): void {
    const start = this.#at;
    let depth = 0;
    do {
      const character = this.#peek();
      if (character === open) depth += 1;
      if (character === close) depth -= 1;
      if (character === open || character === close) this.#at += 1;
      else this.#piece(character);
    } while (depth > 0 && !this.atEnd && !this.#failed);
    if (depth > 0 || /#|\bcase\b/.test(this.#text.slice(start, this.#at).replaceAll(/\$\{?#|[\w}]#/g, "")))
      this.#failed = true;
  }
}
