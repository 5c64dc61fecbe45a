const simpleEscapes: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  e: "\u001b",
  E: "\u001b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** A word as bash quotes it for re-use (`%q`, `export -p`, `alias -p`), and where it ended. */
export interface ShellWord {
  readonly value: string;
  readonly end: number;
}

/** Reads one word from `start`: bare characters, backslashes, '…', "…" and $'…' in any mixture. */
export function readShellWord(text: string, start: number): ShellWord {
  let value = "";
  let at = start;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === " " || character === "\n" || character === "\t") break;
    if (character === "'") {
      const end = closing(text, "'", at + 1);
      value += text.slice(at + 1, end);
      at = end + 1;
    } else if (character === '"') {
      const quoted = readDoubleQuoted(text, at + 1);
      value += quoted.value;
      at = quoted.end;
    } else if (character === "$" && text.charAt(at + 1) === "'") {
      const quoted = readAnsiQuoted(text, at + 2);
      value += quoted.value;
      at = quoted.end;
    } else if (character === "\\") {
      value += text.charAt(at + 1);
      at += 2;
    } else {
      value += character;
      at += 1;
    }
  }
  return { value, end: at };
}

function closing(text: string, quote: string, from: number): number {
  const end = text.indexOf(quote, from);
  return end < 0 ? text.length : end;
}

function readDoubleQuoted(text: string, start: number): ShellWord {
  let value = "";
  let at = start;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '"') return { value, end: at + 1 };
    const next = text.charAt(at + 1);
    if (character === "\\" && next !== "" && '"\\$`'.includes(next)) {
      value += next;
      at += 2;
    } else {
      value += character;
      at += 1;
    }
  }
  return { value, end: at };
}

function readAnsiQuoted(text: string, start: number): ShellWord {
  let value = "";
  let at = start;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === "'") return { value, end: at + 1 };
    if (character !== "\\") {
      value += character;
      at += 1;
      continue;
    }
    const rest = text.slice(at + 1, at + 9);
    const numeric = /^(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|c(.))/s.exec(rest);
    if (numeric === null) {
      const name = rest.charAt(0);
      value += simpleEscapes[name] ?? name;
      at += 2;
      continue;
    }
    const [all, octal, hex, unicode, control] = numeric;
    if (octal !== undefined) value += String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
    else if (hex !== undefined) value += String.fromCharCode(Number.parseInt(hex, 16));
    else if (unicode !== undefined)
      value += Buffer.from(String.fromCodePoint(Number.parseInt(unicode, 16))).toString("latin1");
    else value += String.fromCharCode((control ?? "@").charCodeAt(0) & 0x1f);
    at += 1 + all.length;
  }
  return { value, end: at };
}
