/** The longest duration in values of Server-Timing, in ms, since parts lie within a whole; null: no duration. */
export function serverTimingMs(values: readonly string[]): number | null {
  const durationsMs = values
    .flatMap((value) => [...value.matchAll(/;\s*dur="?(\d{1,7}(?:\.\d+)?)/gi)])
    .map(([, ms]) => Number(ms));
  return durationsMs.length === 0 ? null : Math.max(...durationsMs);
}
