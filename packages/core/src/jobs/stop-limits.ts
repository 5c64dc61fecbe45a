/** Milliseconds between TERM and KILL unless the caller says otherwise. */
export const defaultGraceMs = 2_000;

/** How much longer than the grace an answer may take: every process of a busy sandbox is looked at. */
export const stopMarginMs = 30_000;
