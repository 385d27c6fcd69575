import type { PageLoad } from './page-load.ts';

/** What decides whether a load belongs to a whole block. */
export type LoadOfBlock = Pick<PageLoad, 'stack' | 'outcome' | 'attempt' | 'sitting'>;

/**
 * The loads of the one attempt at a block that counts: the first in which every planned load was made, whatever came of it;
 * without such, the one in which most were. A block is begun again because its worker was lost, and never for its results.
 */
export function standingAttempt<Load extends Pick<PageLoad, 'stack' | 'attempt'>>(
  stacks: readonly string[],
  made: readonly Load[],
): Load[] {
  const attempts = [...Map.groupBy(made, ({ attempt }) => attempt)].sort(([a], [b]) => a - b);
  const isMade = (loads: Load[]) =>
    stacks.every((planned) => loads.some(({ stack }) => stack === planned));
  const most = attempts.toSorted(([, a], [, b]) => b.length - a.length);
  const [, loads = []] = attempts.find(([, each]) => isMade(each)) ?? most[0] ?? [];
  return loads;
}

/**
 * The loads of a block that count, by their stacks: those of the attempt that stands, when they are all there, all ok, and
 * all made on the same machine; null otherwise. Loads of two attempts are never put together.
 * @param stacks planned in the block
 * @param made all loads of the block, in any order
 */
export function wholeBlock<Load extends LoadOfBlock>(
  stacks: readonly string[],
  made: readonly Load[],
  machineOf: (load: Load) => string | null = () => null,
): Map<string, Load> | null {
  const ok = okLoads(stacks, standingAttempt(stacks, made));
  return ok && new Set([...ok.values()].map(machineOf)).size <= 1 ? ok : null;
}

/** Whether an attempt was lost for nothing but that its loads were made on several machines. */
export function liesOnSeveralMachines<Load extends LoadOfBlock>(
  stacks: readonly string[],
  made: readonly Load[],
  machineOf: (load: Load) => string | null,
): boolean {
  return wholeBlock(stacks, made) !== null && wholeBlock(stacks, made, machineOf) === null;
}

function okLoads<Load extends LoadOfBlock>(
  stacks: readonly string[],
  loads: readonly Load[],
): Map<string, Load> | null {
  const ok = new Map(
    loads.filter(({ outcome }) => outcome === 'ok').map((load) => [load.stack, load]),
  );
  // A load that is there twice, once not ok, breaks its block too.
  return loads.length === stacks.length && stacks.every((stack) => ok.has(stack)) ? ok : null;
}
