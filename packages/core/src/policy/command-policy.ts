import { InvalidArgumentError, type CommandDeniedError } from "../errors/errors.js";
import type { ShellParser } from "./analyser.js";
import type { ApprovalAnswer, ApprovalMode, Approve } from "./approval-options.js";
import { ApprovalQuestions, type QuestionEnd } from "./approval-questions.js";
import { exactPattern } from "./command-pattern.js";
import { deniedError } from "./denied-error.js";
import { commandText, findingsOf, type Findings } from "./findings.js";
import type { JudgedPlace } from "./scope.js";
import type { Verdict } from "./verdict.js";
import { verdictOf } from "./verdict-of.js";

/** What a policy is made of. */
export interface CommandPolicyOptions {
  /** The backend's name, for errors and questions. */
  readonly backend: string;
  /** The session's name, else its id. */
  readonly session: string;
  /** Default `ask`. */
  readonly mode?: ApprovalMode | undefined;
  readonly approve?: Approve | undefined;
  /** Patterns of commands that never run. */
  readonly deny?: readonly string[] | undefined;
  /** Texts and patterns of commands that run without a question. */
  readonly allow?: readonly string[] | undefined;
  /** Default 300,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * The sandbox is isolated from the host and has none of its paths mounted: dangerous commands are not asked about. The
   * hardline floor and the deny rules hold all the same. Default false.
   */
  readonly skipsQuestions?: boolean | undefined;
  /** Keeps an allowance for good. Default: it stays in the session. */
  readonly keep?: ((entry: string) => Promise<void>) | undefined;
}

/** Where a command would run, as far as it is known, and what ends the wait for an answer. */
export interface AdmitOptions extends JudgedPlace {
  readonly signal?: AbortSignal | undefined;
}

/** A command that may run. */
export interface Admission {
  /** What the reader should know: who allowed it, and whether that could be kept. */
  readonly notes: readonly string[];
  readonly verdict: Verdict;
  /** What was answered; null when nobody was asked. */
  readonly answer: ApprovalAnswer | null;
}

const keptVerdicts = 512;
const longestKept = 4096;

/** Judges the commands of one session. Made by `loadCommandPolicy`. */
export class CommandPolicy {
  readonly #options: CommandPolicyOptions;
  readonly #parser: ShellParser;
  readonly #questions: ApprovalQuestions;
  readonly #deny: readonly string[];
  readonly #allow: string[];
  readonly #verdicts = new Map<string, Verdict>();

  constructor(options: CommandPolicyOptions, parser: ShellParser) {
    const { timeoutMs = 300_000 } = options;
    if (!(timeoutMs > 0 && timeoutMs <= 2_147_483_647)) {
      throw new InvalidArgumentError(
        "approvals.timeoutMs",
        `approvals.timeoutMs must be above 0 and at most 2,147,483,647, but is ${String(timeoutMs)}.`,
      );
    }
    this.#options = options;
    this.#parser = parser;
    this.#questions = new ApprovalQuestions(options.approve, timeoutMs);
    this.#deny = options.deny ?? [];
    this.#allow = [...(options.allow ?? [])];
  }

  /** What is to be done about a command. Asks nobody, and changes nothing. */
  judge(command: string, place: JudgedPlace = {}): Verdict {
    const key =
      place.cwd === undefined && place.home === undefined
        ? command
        : `${place.cwd ?? ""}\0${place.home ?? ""}\0${command}`;
    const known = this.#verdicts.get(key);
    if (known !== undefined) {
      this.#verdicts.delete(key);
      this.#verdicts.set(key, known);
      return known;
    }
    const verdict = verdictOf(command, this.#findings(command, place), {
      mode: this.#options.mode ?? "ask",
      deny: this.#deny,
      allow: this.#allow,
      skipsQuestions: this.#options.skipsQuestions ?? false,
    });
    if (key.length <= longestKept) this.#keepVerdict(key, verdict);
    return verdict;
  }

  /** Every command that a text would execute, as the shell would see it: what the rules and deny patterns look at. */
  commandsOf(command: string, place: JudgedPlace = {}): readonly string[] {
    return this.#findings(command, place)
      .commands.map((found) => commandText(found))
      .filter((text) => text !== "");
  }

  /**
   * Resolves when a command may run, after asking where that is needed. Throws CommandDeniedError when it may not, and
   * the signal's reason when the caller gave up waiting for an answer.
   */
  async admit(command: string, options: AdmitOptions = {}): Promise<Admission> {
    const verdict = this.judge(command, options);
    if (verdict.decision === "allow") return { notes: [], verdict, answer: null };
    if (verdict.decision === "deny") throw this.#denied(verdict, undefined);
    const end = await this.#questions.ask(
      {
        command,
        matched: verdict.matched ?? command,
        rule: verdict.rule ?? "",
        category: verdict.category ?? "unclear",
        reason: verdict.reason,
        backend: this.#options.backend,
        session: this.#options.session,
      },
      options.signal,
    );
    if (end !== "once" && end !== "session" && end !== "always") throw this.#denied(verdict, end);
    return { notes: await this.#remember(command, end, verdict), verdict, answer: end };
  }

  /** Allows a text for the rest of the session. */
  allowForSession(command: string): void {
    const entry = exactPattern(command);
    if (this.#allow.includes(entry)) return;
    this.#allow.push(entry);
    this.#verdicts.clear();
  }

  async #remember(
    command: string,
    answer: "once" | "session" | "always",
    verdict: Verdict,
  ): Promise<readonly string[]> {
    const note = `Approved (${answer === "always" ? "for good" : answer === "session" ? "for this session" : "once"}): rule ${verdict.rule ?? ""}.`;
    if (answer === "once") return [note];
    const isNew = !this.#allow.includes(exactPattern(command));
    this.allowForSession(command);
    if (answer !== "always" || !isNew || this.#options.keep === undefined) return [note];
    try {
      await this.#options.keep(exactPattern(command));
      return [note];
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return [note, `The approval holds for this session only, because it could not be kept: ${why}`];
    }
  }

  #denied(verdict: Verdict, end: QuestionEnd | undefined): CommandDeniedError {
    return deniedError(verdict, end, this.#options);
  }

  #findings(command: string, place: JudgedPlace): Findings {
    return findingsOf(command, place, this.#parser);
  }

  #keepVerdict(key: string, verdict: Verdict): void {
    this.#verdicts.set(key, verdict);
    if (this.#verdicts.size <= keptVerdicts) return;
    for (const oldest of this.#verdicts.keys()) {
      this.#verdicts.delete(oldest);
      break;
    }
  }
}
