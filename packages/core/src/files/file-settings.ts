/** What a session lays down about its files. */
export interface FileSettings {
  /** Let writes touch what steers logins, shells or Talaria itself. Default false. */
  readonly allowSensitive?: boolean | undefined;
  /**
   * Directories of the sandbox outside of which nothing may be written, also not through a symbolic link. Default: any
   * place that the account may write to.
   */
  readonly roots?: readonly string[] | undefined;
}
