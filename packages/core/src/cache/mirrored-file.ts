/** A file that belongs into the sandbox. Paths are below `<TALARIA_HOME>` on the host and below the base inside. */
export interface MirroredFile {
  /** With `/`; bytes that are no UTF-8 as lone surrogates. */
  readonly path: string;
  /** As it is sent. */
  readonly mode: number;
  /** Of the content, hexadecimal. */
  readonly hash: string;
}

/** One that was found on the host. */
export interface HostFile extends MirroredFile {
  readonly sizeBytes: number;
}
