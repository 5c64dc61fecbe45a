import { isInRanges, type CodeRange, type PatternNode } from "./search-pattern-tree.js";

type Step =
  | { readonly kind: "set"; readonly ranges: readonly CodeRange[] }
  | { readonly kind: "split"; readonly to: readonly number[] }
  | { readonly kind: "start" | "end" | "wordBoundary" | "found" };

/**
 * Finds where a pattern first fits in a line: in time that grows with the line and with the pattern, never faster, for
 * any pattern. Expressions of JavaScript could take for ever for an agent's pattern.
 */
export class SearchMatcher {
  readonly #steps: Step[] = [];

  constructor(tree: PatternNode) {
    this.#add(tree);
    this.#steps.push({ kind: "found" });
  }

  /** Characters before the first match; undefined when there is none. */
  find(line: string): number | undefined {
    const codes = Array.from(line, (character) => character.codePointAt(0) ?? 0);
    let active = new Map<number, number>();
    let best: number | undefined;
    for (let at = 0; at <= codes.length; at += 1) {
      const reached = new Map<number, number>();
      for (const [step, begun] of active) this.#enter(step, begun, codes, at, reached);
      if (best === undefined) this.#enter(0, at, codes, at, reached);
      active = new Map();
      for (const [step, begun] of reached) {
        const one = this.#steps[step];
        if (one?.kind === "found") best = Math.min(best ?? begun, begun);
        else if (one?.kind === "set" && at < codes.length && isInRanges(one.ranges, codes[at] ?? 0)) {
          active.set(step + 1, Math.min(active.get(step + 1) ?? begun, begun));
        }
      }
      if (best !== undefined) {
        for (const [step, begun] of active) if (begun >= best) active.delete(step);
        if (active.size === 0) return best;
      }
    }
    return best;
  }

  /** Goes on from a step as far as it can without a character; the earliest beginning counts. */
  #enter(
    step: number,
    begun: number,
    codes: readonly number[],
    at: number,
    reached: Map<number, number>,
  ): void {
    const waiting = [step];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const before = reached.get(next);
      if (before !== undefined && before <= begun) continue;
      reached.set(next, begun);
      const one = this.#steps[next];
      if (one?.kind === "split") waiting.push(...one.to.map((offset) => offset));
      else if (
        one !== undefined &&
        one.kind !== "set" &&
        one.kind !== "found" &&
        holds(one.kind, codes, at)
      ) {
        waiting.push(next + 1);
      }
    }
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

function holds(kind: "start" | "end" | "wordBoundary", codes: readonly number[], at: number): boolean {
  if (kind === "start") return at === 0;
  if (kind === "wordBoundary") return isWord(codes[at - 1]) !== isWord(codes[at]);
  return at === codes.length || (at === codes.length - 1 && codes[at] === 0x0d);
}

function isWord(code: number | undefined): boolean {
  return code !== undefined && code < 0x80 && /\w/.test(String.fromCharCode(code));
}
