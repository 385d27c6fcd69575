/** Replaces infinity in means: larger than all finite values, and its mean with any of them counts as infinite. */
const FAR = 1e12;

/**
 * Replaces infinite values (failures) by finite ones beyond all measured values, so that pairs have means: with a finite value the mean
 * is infinite; the mean of both infinities is 0, a tie.
 */
export function clampInfinite(values: readonly number[]): number[] {
  return values.map((value) => Math.max(-FAR, Math.min(FAR, value)));
}

/** Restores infinity from such a value, the mean of two, or the mean of two such means. */
export function restoreInfinite(value: number): number {
  return Math.abs(value) < FAR / 8 ? value : value * Number.POSITIVE_INFINITY;
}
