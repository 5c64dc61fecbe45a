/** One step of the tour as it went. */
export interface TourStep {
  readonly title: string;
  /** What was found, in lines ready to be shown. */
  readonly lines: readonly string[];
  /** Whether the step showed what it promises. */
  readonly ok: boolean;
}

/** A step that has been run, with its duration. */
export interface TimedStep extends TourStep {
  readonly ms: number;
}

/** Runs a step and measures it. */
export async function timed(step: () => Promise<TourStep>): Promise<TimedStep> {
  const start = performance.now();
  const done = await step();
  return { ...done, ms: Math.round((performance.now() - start) * 10) / 10 };
}
