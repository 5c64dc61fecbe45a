import { MatchRun } from "./search-match-run.js";
import { isInRanges, type CodeRange, type PatternNode } from "./search-pattern-tree.js";

interface SetStep {
  readonly kind: "set";
  readonly ranges: readonly CodeRange[];
  /** 1 for each ASCII character that is in it. */
  readonly ascii: Uint8Array;
}

type Step =
  | SetStep
  | { readonly kind: "split"; readonly to: readonly number[] }
  | { readonly kind: "start" | "end" | "wordBoundary" | "found" };

/**
 * Finds where a pattern first fits in a line: in time that grows with the line and with the pattern, never faster, for
 * any pattern. Expressions of JavaScript could take for ever for an agent's pattern.
 */
export class SearchMatcher {
  readonly #steps: Step[] = [];
  readonly #first: readonly SetStep[] | undefined;

  constructor(tree: PatternNode) {
    this.#add(tree);
    this.#steps.push({ kind: "found" });
    this.#first = this.#firstSets();
  }

  /** Characters before the first match; undefined when there is none. */
  find(line: string): number | undefined {
    const run = new MatchRun(this.#steps.length);
    let best: number | undefined;
    let before = -1;
    for (let index = 0, at = 0; ; at += 1) {
      const code = line.codePointAt(index) ?? -1;
      const next = index + (code > 0xffff ? 2 : 1);
      const isEnd = code < 0 || (code === 0x0d && next === line.length);
      const place = { code, isStart: at === 0, isEnd, isBoundary: isWord(before) !== isWord(code) };
      run.turn();
      // In the order of their beginnings, so who first comes to a step has the earliest.
      for (let one = 0; one < run.count; one += 1) {
        const begun = run.begunAt(one);
        if (!this.#enter(run, run.stepAt(one), begun, place)) continue;
        best = begun;
        break;
      }
      if (best === undefined && this.#canBegin(code) && this.#enter(run, 0, at, place)) best = at;
      if (best !== undefined && !run.keepBefore(best)) return best;
      if (code < 0) return best;
      before = code;
      index = next;
    }
  }

  /** Goes on from a step as far as it can without a character. True when the pattern ends here. */
  #enter(run: MatchRun, step: number, begun: number, place: Place): boolean {
    const { waiting } = run;
    waiting.push(step);
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (!run.isNew(next)) continue;
      const one = this.#steps[next];
      if (one === undefined) continue;
      if (one.kind === "set") {
        if (holdsCode(one, place.code)) run.add(next + 1, begun);
      } else if (one.kind === "split") {
        for (const to of one.to) waiting.push(to);
      } else if (one.kind === "found") {
        waiting.length = 0;
        return true;
      } else if (one.kind === "start" ? place.isStart : one.kind === "end" ? place.isEnd : place.isBoundary) {
        waiting.push(next + 1);
      }
    }
    return false;
  }

  #canBegin(code: number): boolean {
    return this.#first === undefined || this.#first.some((set) => holdsCode(set, code));
  }

  /** The sets that a match can begin with; undefined when it can be empty. */
  #firstSets(): readonly SetStep[] | undefined {
    const sets: SetStep[] = [];
    const waiting = [0];
    const seen = new Set<number>();
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const one = this.#steps[next];
      if (one === undefined || seen.has(next)) continue;
      seen.add(next);
      if (one.kind === "found") return undefined;
      if (one.kind === "set") sets.push(one);
      else if (one.kind === "split") waiting.push(...one.to);
      else waiting.push(next + 1);
    }
    return sets;
  }

  #add(node: PatternNode): void {
    const steps = this.#steps;
    switch (node.kind) {
      case "sequence":
        for (const one of node.nodes) this.#add(one);
        break;
      case "choice": {
        const split: number[] = [];
        steps.push({ kind: "split", to: split });
        const ends: number[][] = [];
        for (const one of node.nodes) {
          split.push(steps.length);
          this.#add(one);
          const end: number[] = [];
          ends.push(end);
          steps.push({ kind: "split", to: end });
        }
        for (const end of ends) end.push(steps.length);
        break;
      }
      case "repeat":
        this.#addRepeat(node.node, node.least, node.most);
        break;
      case "set":
        steps.push({
          ...node,
          ascii: Uint8Array.from({ length: 128 }, (_, code) => Number(isInRanges(node.ranges, code))),
        });
        break;
      default:
        steps.push(node);
    }
  }

  #addRepeat(node: PatternNode, least: number, most: number): void {
    const steps = this.#steps;
    for (let count = 0; count < least; count += 1) this.#add(node);
    if (most === Number.POSITIVE_INFINITY) {
      const begin = steps.length;
      const split: number[] = [begin + 1];
      steps.push({ kind: "split", to: split });
      this.#add(node);
      steps.push({ kind: "split", to: [begin] });
      split.push(steps.length);
      return;
    }
    const splits: number[][] = [];
    for (let count = least; count < most; count += 1) {
      const split: number[] = [steps.length + 1];
      splits.push(split);
      steps.push({ kind: "split", to: split });
      this.#add(node);
    }
    for (const split of splits) split.push(steps.length);
  }
}

/** Where in the line it is. */
interface Place {
  /** Of the next character; -1 at the end. */
  readonly code: number;
  readonly isStart: boolean;
  readonly isEnd: boolean;
  readonly isBoundary: boolean;
}

function holdsCode({ ascii, ranges }: SetStep, code: number): boolean {
  return code < 128 ? ascii[code] === 1 : isInRanges(ranges, code);
}

function isWord(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f
  );
}
