const units = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/** Bytes for people: `0 B`, `1.5 KiB`, `2.0 GiB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(value < 100 ? 1 : 0)} ${units[unit] ?? "B"}`;
}

/** A span for people, in its two largest units: `3 s`, `2 min 5 s`, `3 h 20 min`, `4 d 2 h`. */
export function formatSpan(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return pair(seconds, 60, "min", 1, "s");
  return seconds < 86_400 ? pair(seconds, 3_600, "h", 60, "min") : pair(seconds, 86_400, "d", 3_600, "h");
}

function pair(seconds: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((seconds % large) / small);
  const head = `${Math.floor(seconds / large)} ${largeUnit}`;
  return rest === 0 ? head : `${head} ${rest} ${smallUnit}`;
}
