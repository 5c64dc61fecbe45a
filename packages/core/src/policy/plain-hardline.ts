const end = `(?=["'\\s;&|)]|$)`;

/** Hardline patterns in the text itself, for a text that is no shell text: what is plain to see is refused all the same. */
const patterns: readonly (readonly [id: string, pattern: RegExp])[] = [
  [
    "delete_system",
    new RegExp(
      `\\brm\\s+(?:-{1,2}[\\w-]+\\s+)*-(?:[a-zA-Z]*[rR]|-recursive)[a-zA-Z]*\\s+(?:-{1,2}[\\w-]+\\s+)*["']?(?:/|~|\\$HOME|\\$\\{HOME\\}|/(?:etc|usr|bin|sbin|lib|lib64|boot|var|home|root|opt|dev|sys|proc))/?\\*?${end}`,
      "u",
    ),
  ],
  [
    "format_disk",
    /\b(?:mkfs(?:\.\w+)?|wipefs|blkdiscard|shred)\s[^\n;&|]{0,200}\/dev\/(?:[shv]d[a-z]|nvme|mmcblk|xvd|disk)/u,
  ],
  [
    "overwrite_disk",
    /\bof=["']?\/dev\/(?:[shv]d[a-z]|nvme|mmcblk|xvd|disk)|>\s*["']?\/dev\/(?:[shv]d[a-z]|nvme|mmcblk|xvd|disk)/u,
  ],
  ["fork_bomb", /:\s*\(\s*\)\s*\{\s*:\s*\|\s*:/u],
  ["kernel_trigger", />\s*\/proc\/sysrq-trigger/u],
];

/** The hardline rule that an unparsable text plainly falls under. */
export function plainHardline(text: string): string | undefined {
  return patterns.find(([, pattern]) => pattern.test(text))?.[0];
}
