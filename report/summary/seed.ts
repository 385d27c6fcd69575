/**
 * Seed of the random choices of one result, from the run's seed and the result's names, so that the order of computation
 * does not change intervals. FNV-1a over the code points of their JSON text; an unsigned 32-bit number.
 */
export function seedOf(runSeed: number, ...names: readonly string[]): number {
  let hash = 0x811c9dc5;
  for (const unit of JSON.stringify([runSeed, ...names])) {
    hash ^= unit.codePointAt(0) ?? 0;
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}
