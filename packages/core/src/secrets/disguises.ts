/** A text that gives a secret away. */
export interface Needle {
  /** The secret's name. */
  readonly name: string;
  readonly bytes: Buffer;
  /** Programs that print it break it into lines (`base64`, `xxd -p`): a line break within it is looked over. */
  readonly wraps: boolean;
}

/** Shorter than this a text is found by accident. */
export const shortestBytes = 8;

/** Lines of a secret of several lines count by themselves from this length on. */
const shortestLineBytes = 16;

/**
 * The ways in which programs show a text: as it is, line by line, in base64 (inside a longer text too), hexadecimal,
 * percent-encoded, and quoted for JSON, HTML and shells. Without repeats; what would be too short is left out.
 */
export function disguisesOf(name: string, value: string): readonly Needle[] {
  const plain = [value, ...linesOf(value), ...urlForms(value), ...jsonForms(value), ...shellForms(value)];
  plain.push(escaped(value, /[&<>"']/g, (character) => htmlNames[character] ?? character));
  const onTerminal = plain.map((text) => text.replaceAll(/\r?\n/g, "\r\n"));
  const bytes = Buffer.from(value, "utf8");
  const hex = bytes.toString("hex");
  const coded = [hex, hex.toUpperCase(), ...base64Forms(bytes)];
  // Broken within its first bytes, which have to stand together, it is still known by the rest.
  const rests = coded
    .filter((text) => text.length >= 3 * shortestBytes)
    .map((text) => text.slice(shortestBytes));
  const needles = [
    ...[...new Set([...plain, ...onTerminal])].map((text) => ({
      name,
      bytes: Buffer.from(text, "utf8"),
      wraps: false,
    })),
    ...[...new Set([...coded, ...rests])].map((text) => ({ name, bytes: Buffer.from(text), wraps: true })),
  ];
  return needles.filter((needle) => needle.bytes.length >= shortestBytes);
}

/** A key is often seen line by line: numbered, indented, in a diff. Its first and last line are everybody's. */
function linesOf(value: string): readonly string[] {
  if (!value.includes("\n")) return [];
  return value
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => Buffer.byteLength(line) >= shortestLineBytes && !line.startsWith("-----"));
}

/**
 * In base64 a text looks one of three ways, by how many bytes stand before it. The characters it shares are left out; when
 * it is the end of what was encoded, the last one is its own.
 */
function base64Forms(bytes: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const coded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const own = coded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    const asEnd = coded.slice(Math.ceil((before * 8) / 6));
    return [own, asEnd].flatMap((text) => [text, text.replaceAll("+", "-").replaceAll("/", "_")]);
  });
}

function urlForms(value: string): readonly string[] {
  // By way of bytes: lone halves of a surrogate pair have no such form.
  const whole = Buffer.from(value, "utf8").toString("utf8");
  const encoded = encodeURIComponent(whole);
  const strict = escaped(encoded, /[!'()*~]/g, percent);
  const lower = strict.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  return [encoded, strict, lower, strict.replaceAll("%20", "+"), encodeURI(whole)];
}

function jsonForms(value: string): readonly string[] {
  const once = JSON.stringify(value).slice(1, -1);
  const ascii = escaped(once, /[^\x20-\x7e]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  // A text inside JSON inside JSON: what tools that call each other log.
  return [once, ascii, once.replaceAll("/", "\\/"), JSON.stringify(once).slice(1, -1)];
}

function shellForms(value: string): readonly string[] {
  const ansi = escaped(value, /[\\'\n\r\t]/g, (character) => ansiNames[character] ?? character);
  return [
    value.replaceAll("'", "'\\''"),
    value.replaceAll("'", `'"'"'`),
    // `declare -p`, `export -p`.
    escaped(value, /[\\"$`]/g, (character) => `\\${character}`),
    // `printf %q`, and the same with the tilde of some versions.
    escaped(value, /[^A-Za-z0-9_@%+=:,./\n-]/g, (character) => `\\${character}`),
    escaped(value, /[^A-Za-z0-9_@%+:./=\n~-]/g, (character) => `\\${character}`),
    ansi,
  ];
}

const ansiNames: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "'": "\\'",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

const htmlNames: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string, characters: RegExp, escape: (character: string) => string): string {
  return text.replaceAll(characters, escape);
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}
