import {
  BaseEnvironment,
  ClosedError,
  type BaseEnvironmentOptions,
  type CleanupReport,
  type CommandResult,
  type EnvironmentExecuteOptions,
  type SandboxProcess,
  type SpawnOptions,
} from "@talaria/core";
import { accountInPasswd, accountVariables, findAccount, type Account } from "./account/account.js";
import { checkStartAs, findSetpriv, requireSetpriv, switchWords } from "./account/switch-account.js";
import type { CommandEnvironment } from "./command-environment.js";
import { PipeSource } from "./process/pipe-source.js";
import { startProcess } from "./process/start-process.js";
import { checkArgv, checkHostFiles, checkVariables, type StartRequest } from "./process/start-request.js";
import { startTerminal } from "./terminal/start-terminal.js";

export interface LocalEnvironmentOptions extends BaseEnvironmentOptions {
  /** Where processes start that name no directory. Absolute. */
  readonly directory: string;
  /** The bash that stands for the word `bash`; undefined = the one in PATH. */
  readonly bash: string | undefined;
  readonly variables: CommandEnvironment;
  /** Said once, with the first result. */
  readonly notes?: readonly string[] | undefined;
}

/** Commands on this host, each in a process group of its own. Shares nothing with the terminal Talaria runs in. */
export class LocalEnvironment extends BaseEnvironment {
  readonly acceptsHostFiles: boolean = true;
  readonly #options: LocalEnvironmentOptions;
  readonly #pipes: PipeSource;
  readonly #accounts = new Map<string, Promise<Account>>();
  /** Starts that have been checked for an account: asking costs a process. */
  readonly #checked = new Map<string, string>();
  /** What `spawn` started for others than the warm shell and has not ended, with its command line. */
  readonly #running = new Map<SandboxProcess, string>();
  #notes: readonly string[];
  #isDisposed = false;

  constructor(options: LocalEnvironmentOptions) {
    super(options);
    this.#options = options;
    this.#pipes = new PipeSource(options.bash ?? "bash", options.variables.for());
    this.#notes = options.notes ?? [];
    // The first command needs them: made while its environment is being put together.
    void this.#pipes.acquire(0);
  }

  override async execute(command: string, options?: EnvironmentExecuteOptions): Promise<CommandResult> {
    const result = await super.execute(command, options);
    const notes = this.#notes;
    if (notes.length === 0) return result;
    this.#notes = [];
    return { ...result, notes: [...notes, ...result.notes] };
  }

  async spawn(argv: readonly string[], options: SpawnOptions = {}): Promise<SandboxProcess> {
    if (this.#isDisposed) {
      throw new ClosedError("the local environment is closed: no process can be started in it", {
        backend: "local",
        operation: "spawn",
        hint: "Open a new session.",
      });
    }
    options.signal?.throwIfAborted();
    const words = checkArgv(argv);
    checkVariables(options.env ?? {});
    checkHostFiles(options);
    const account = await this.#account(options.user);
    const program = words[0] === "bash" && this.#options.bash !== undefined ? this.#options.bash : words[0];
    const request: StartRequest = {
      argv: [program, ...words.slice(1)],
      cwd: options.cwd ?? this.#options.directory,
      env: this.#options.variables.for({
        env: options.env,
        term: options.tty === undefined ? undefined : (options.tty.term ?? "xterm-256color"),
        account,
      }),
      stdinFile: options.stdinFile,
      stdoutFile: options.stdoutFile,
      signal: options.signal,
    };
    const switched =
      account === undefined ? request : await this.#switch(account, request, options.cwd !== undefined);
    options.signal?.throwIfAborted();
    const process_ = await (options.tty === undefined
      ? startProcess(switched, this.#pipes)
      : startTerminal(switched, options.tty, this.#options.bash ?? "bash"));
    // A channel of the warm shell is ended, and what it leaves is told, by the warm shell.
    if (options.env?.["TALARIA_CHANNEL"] === undefined) this.#track(process_, words);
    return process_;
  }

  /** Words that run, on this host, what is appended to them. */
  execPrefix(options: { user?: string; interactive?: boolean } = {}): readonly string[] | null {
    // `env` runs what follows it: an empty list would be a contract error.
    const account = options.user === undefined ? undefined : accountInPasswd(options.user);
    const setpriv = findSetpriv();
    // SPEC 6.1: a backend that cannot switch ignores the account.
    if (account === undefined || setpriv === undefined || account.uid === process.geteuid?.()) return ["env"];
    const variables = Object.entries(accountVariables(account)).map(([name, value]) => `${name}=${value}`);
    return [...switchWords(setpriv, account), "env", ...variables];
  }

  protected async dispose(): Promise<CleanupReport> {
    this.#isDisposed = true;
    this.#pipes.close();
    const left = [...this.#running].flatMap(([{ pid }, command]) =>
      pid === undefined ? [] : [{ pid, command }],
    );
    return { left };
  }

  #track(process_: SandboxProcess, words: readonly string[]): void {
    this.#running.set(process_, words.join(" "));
    void process_.exit.then(() => this.#running.delete(process_));
  }

  /** The account to change to; undefined when it is the one Talaria runs as. */
  async #account(user: string | undefined): Promise<Account | undefined> {
    if (user === undefined) return undefined;
    let found = this.#accounts.get(user);
    if (found === undefined) {
      found = findAccount(user);
      this.#accounts.set(user, found);
      // A name that is not there today may be there tomorrow.
      found.catch(() => this.#accounts.delete(user));
    }
    const account = await found;
    if (account.uid === process.geteuid?.()) return undefined;
    requireSetpriv(user);
    return account;
  }

  async #switch(account: Account, request: StartRequest, isCwdAsked: boolean): Promise<StartRequest> {
    const setpriv = requireSetpriv(account.name);
    // Nobody asked for the environment's own directory: an account that cannot enter it starts elsewhere.
    const directories = isCwdAsked ? [request.cwd] : [request.cwd, account.home, "/"];
    const key = [account.uid, request.argv[0], request.env["PATH"], ...directories].join("\0");
    const cwd = this.#checked.get(key) ?? (await checkStartAs(setpriv, account, request, directories));
    this.#checked.set(key, cwd);
    return { ...request, cwd, argv: [...switchWords(setpriv, account), ...request.argv] };
  }
}
