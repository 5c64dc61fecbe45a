/** Letters of other scripts, and signs, that are drawn like a Latin letter, digit or underscore. Lower case. */
const drawnLike: Readonly<Record<string, string>> = {
  a: "аɑαάàáâãäåāăąạả",
  b: "Ьƅɓв",
  c: "сϲçćčⅽ",
  d: "ԁɗďđⅾժ",
  e: "еєεёèéêëēėęěẹ",
  g: "ɡցğģ",
  h: "һհħ",
  i: "іιίıїìíîïīįɩ",
  j: "јϳ",
  k: "κкķ",
  l: "ӏľļłⅼǀ",
  m: "мⅿ",
  n: "пηոñńňņ",
  o: "оοόօòóôõöōøσ",
  p: "рρ",
  q: "ԛգ",
  r: "гŕř",
  s: "ѕśšşς",
  t: "тτťţ",
  u: "υսùúûüūůцμ",
  v: "νѵⅴ",
  w: "ԝωѡա",
  x: "хχⅹ",
  y: "уγүýÿ",
  z: "ᴢźżž",
  _: "‿⁀ˍ‐‑‒–—―−",
};

const latinOf: ReadonlyMap<string, string> = new Map(
  Object.entries(drawnLike).flatMap(([latin, others]) =>
    Array.from(others, (other) => [other, latin] as const),
  ),
);

/**
 * What a name would be taken for by a reader: other scripts as the Latin they look like, without marks, invisible
 * signs and separators, with `0` as `o` and `1` and `i` as `l`. Two names with one shape are look-alikes.
 */
function shapeOf(name: string): string {
  const plain = Array.from(name.normalize("NFKD").toLowerCase(), (sign) => latinOf.get(sign) ?? sign).join(
    "",
  );
  return plain
    .replaceAll(/[^a-z0-9]/g, "")
    .replaceAll("0", "o")
    .replaceAll("5", "s")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w")
    .replaceAll(/[1i]/g, "l");
}

/** The name among `known` that `name` looks like without being it. */
export function lookAlikeOf<Name extends string>(name: string, known: readonly Name[]): Name | undefined {
  const shape = shapeOf(name);
  return known.find((candidate) => candidate !== name && shapeOf(candidate) === shape);
}
