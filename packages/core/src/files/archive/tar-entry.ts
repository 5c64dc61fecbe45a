/** What a member of a tar archive is. */
export type TarEntryKind =
  | "file"
  | "directory"
  | "symlink"
  | "hardlink"
  | "characterDevice"
  | "blockDevice"
  | "fifo";

/** A member of a tar archive. Names are bytes, one character each, exactly as the archive has them. */
export interface TarEntry {
  readonly kind: TarEntryKind;
  readonly name: string;
  /** Where a symbolic link leads, or the member that a hard link is another name of. Empty for the rest. */
  readonly linkName: string;
  /** Bytes of content that follow. 0 for all but files. */
  readonly sizeBytes: number;
  /** Permission bits, those for set-user-id and the like included. */
  readonly mode: number;
  /** Seconds since 1970; with a fraction where the archive tells one. */
  readonly mtimeSeconds: number;
}
