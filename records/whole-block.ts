import type { PageLoad } from './page-load.ts';

/** What decides whether a load belongs to a whole block. */
export type LoadOfBlock = Pick<PageLoad, 'stack' | 'outcome' | 'attempt' | 'sitting'>;

/**
 * The loads of a block that count, by their stacks: those of the first attempt in which every planned load was made, is ok,
 * and was made on the same machine; null: there is no such attempt. Loads of two attempts are never put together.
 * @param stacks planned in the block
 * @param made all loads of the block, in any order
 */
export function wholeBlock<Load extends LoadOfBlock>(
  stacks: readonly string[],
  made: readonly Load[],
  machineOf: (load: Load) => string | null = () => null,
): Map<string, Load> | null {
  const attempts = Map.groupBy(made, ({ attempt }) => attempt);
  for (const [, loads] of [...attempts].sort(([a], [b]) => a - b)) {
    const ok = okLoads(stacks, loads);
    if (ok && new Set([...ok.values()].map(machineOf)).size <= 1) return ok;
  }
  return null;
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
