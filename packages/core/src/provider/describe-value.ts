/** Names a value in an error text: its kind and, when short, what it is. Never call it with a secret. */
export function describeValue(value: unknown): string {
  if (value === undefined) return "nothing (undefined)";
  if (value === null) return "null";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : `a list of ${value.length}`;
  switch (typeof value) {
    case "string":
      return value === "" ? "an empty text" : `the text ${JSON.stringify(shorten(value))}`;
    case "number":
    case "bigint":
      return `the number ${String(value)}`;
    case "boolean":
      return String(value);
    case "function":
      return "a function";
    case "symbol":
      return "a symbol";
    default:
      return "an object";
  }
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
