const maximalItems = 24;

/**
 * The texts between the commas of a brace expansion, or of its sequence; still shell text. Undefined when it is none.
 * More than 24 are cut: what matters is what it can begin with.
 */
export function braceItems(text: string): readonly string[] | undefined {
  if (!text.startsWith("{") || !text.endsWith("}")) return undefined;
  const inner = text.slice(1, -1);
  return sequence(inner) ?? commaItems(inner);
}

function commaItems(inner: string): readonly string[] | undefined {
  const items: string[] = [];
  let depth = 0;
  let quote = "";
  let start = 0;
  for (let at = 0; at < inner.length; at += 1) {
    const char = inner.charAt(at);
    if (char === "\\" && quote !== "'") at += 1;
    else if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === "'" || char === '"' || char === "`") quote = char;
    else if (char === "{" || char === "(") depth += 1;
    else if (char === "}" || char === ")") depth -= 1;
    else if (char === "," && depth === 0) {
      items.push(inner.slice(start, at));
      start = at + 1;
    }
  }
  if (items.length === 0) return undefined;
  items.push(inner.slice(start));
  return items.slice(0, maximalItems);
}

function sequence(inner: string): readonly string[] | undefined {
  const numbers = /^(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.-?\d+)?$/u.exec(inner);
  if (numbers !== null) return steps(Number(numbers[1]), Number(numbers[2])).map(String);
  const letters = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.-?\d+)?$/u.exec(inner);
  if (letters === null) return undefined;
  const codes = steps((letters[1] ?? "").charCodeAt(0), (letters[2] ?? "").charCodeAt(0));
  return codes.map((code) => String.fromCharCode(code));
}

function steps(from: number, to: number): number[] {
  const count = Math.min(Math.abs(to - from) + 1, maximalItems);
  return Array.from({ length: count }, (_, index) => (from <= to ? from + index : from - index));
}
