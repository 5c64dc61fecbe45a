/** A redirection of a command, its target as far as it is known. */
export interface FoundRedirect {
  readonly operator: string;
  readonly target: string;
}

/** What a command reads on its stdin. */
export interface CommandInput {
  /** With marks for what is not known. */
  readonly text: string;
  /** The commands that write it; none for a heredoc. */
  readonly producers: readonly FoundCommand[];
}

/** Where a command stands. */
export interface CommandPlace {
  /** Absolute, or beginning with the mark of the session's directory or of the home. */
  readonly cwd: string;
  /** The session's own directory, in the same form. */
  readonly tree: string;
  /** The home, or its mark. */
  readonly home: string;
  /** In a container of its own: what is no directory of the system there is nobody's work. */
  readonly isContained: boolean;
}

/** One command that would be executed, its words as the shell would make them. */
export interface FoundCommand extends CommandPlace {
  /** The program without its folder. A mark when it is not known. */
  readonly name: string;
  /** Program and arguments, with marks. */
  readonly words: readonly string[];
  /** Variables set for it. */
  readonly assignments: readonly (readonly [name: string, value: string])[];
  readonly redirects: readonly FoundRedirect[];
  readonly input: CommandInput | undefined;
  /** The commands whose output is in its words. */
  readonly substitutions: readonly FoundCommand[];
  /** What runs it: `sudo`, `sh -c`, `xargs` …, the nearest first. */
  readonly outer: FoundCommand | undefined;
  /** Runs another command and does nothing of its own. */
  readonly isWrapper: boolean;
  /** Runs a file that the same text has fetched from the network. */
  readonly fetched?: boolean | undefined;
  /** The program's name is what another command prints. */
  readonly isComputed?: boolean | undefined;
}
