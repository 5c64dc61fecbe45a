/** Why this platform is not served, or undefined when it is. */
export function refusedPlatform(platform: NodeJS.Platform): { text: string; hint: string } | undefined {
  return platform === "win32"
    ? {
        text: "Windows is not supported yet: commands need a POSIX host with bash.",
        hint: "run Talaria inside WSL 2, where it works as on Linux",
      }
    : undefined;
}
