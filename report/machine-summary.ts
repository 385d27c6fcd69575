import type { PageLoad } from '../records/page-load.ts';
import type { Block } from './analysis/blocks.ts';
import type { PooledComparison } from './analysis/comparison.ts';
import { type Machine, machineOfLoad } from './analysis/machines.ts';

/** A machine as a vantage point: what it is, what was made on it, and what came out there alone. */
export interface MachineSummary extends Machine {
  /** Loads made on it; warm-ups, failed and invalid ones included. */
  nLoads: number;
  /** Of these, in the statistics. */
  nCounted: number;
  /** Sites with such loads. */
  nSites: number;
  /** As `pooled` of the run, over the blocks that lie on this machine; empty when it is the only one. */
  pooled: MachineRatio[];
}

/** What a run's pooled comparison and a single machine's have in common. */
export type MachineRatio = Pick<
  PooledComparison,
  'network' | 'visit' | 'stack' | 'baseline' | 'nSites' | 'nPairs' | 'ratio' | 'verdict'
>;

/**
 * The machines of a run, side by side.
 * @param pooledOver the pooled comparisons over these blocks alone
 */
export function machineSummariesOf(
  machines: readonly Machine[],
  { pageLoads, blocks }: { pageLoads: readonly PageLoad[]; blocks: readonly Block[] },
  pooledOver: (keep: (block: Block) => boolean) => readonly PooledComparison[],
): MachineSummary[] {
  const loadsOf = Map.groupBy(pageLoads, machineOfLoad(machines));
  const blocksOf = Map.groupBy(blocks, ({ machine }) => machine);
  return machines.map((each) => {
    const { machine } = each;
    const own = blocksOf.get(machine) ?? [];
    return {
      ...each,
      nLoads: loadsOf.get(machine)?.length ?? 0,
      nCounted: own.reduce((sum, { loads }) => sum + (loads?.size ?? 0), 0),
      nSites: new Set(own.map(({ site }) => site)).size,
      pooled:
        machines.length === 1 ? [] : pooledOver((block) => block.machine === machine).map(ratioOf),
    };
  });
}

function ratioOf(pooled: PooledComparison): MachineRatio {
  const { network, visit, stack, baseline, nSites, nPairs, ratio, verdict } = pooled;
  return { network, visit, stack, baseline, nSites, nPairs, ratio, verdict };
}
