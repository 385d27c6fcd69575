/** Stands for an infinite value where means are made: beyond all others, and its mean with any of them is infinite again. */
const FAR = 1e12;

/**
 * Values in which infinite ones, those of failures, have a place beyond all others. Means of two can be made of them: that with a
 * finite value is infinite, that of both infinities is 0, a tie.
 */
export function clampInfinite(values: readonly number[]): number[] {
  return values.map((value) => Math.max(-FAR, Math.min(FAR, value)));
}

/** What such a value, or the mean of two, or of two such means, stands for. */
export function restoreInfinite(value: number): number {
  return Math.abs(value) < FAR / 8 ? value : value * Number.POSITIVE_INFINITY;
}
