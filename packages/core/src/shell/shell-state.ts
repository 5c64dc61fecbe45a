/**
 * What a shell carries from command to command (SPEC 3.11), as plain data. Strings hold one byte per character
 * (latin1), because names, values and paths in a shell are bytes: convert at the edge.
 */
export interface ShellStateSnapshot {
  /** Exported variables: name to value, or null where the environment's own variable was unset. Only differences from the sandbox's start. */
  readonly env: Readonly<Record<string, string | null>>;
  /** Function name to its definition as bash prints it, and whether it is exported. */
  readonly functions: Readonly<Record<string, { readonly body: string; readonly exported: boolean }>>;
  readonly aliases: Readonly<Record<string, string>>;
  /** `shopt` options that differ from the shell's start: name to on/off. */
  readonly shopt: Readonly<Record<string, boolean>>;
  /** `set -o` options that differ from the shell's start: name to on/off. */
  readonly options: Readonly<Record<string, boolean>>;
  /** Octal, as `umask` prints it; null = as the sandbox started. */
  readonly umask: string | null;
}
