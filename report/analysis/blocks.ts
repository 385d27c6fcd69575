import type { PageLoad } from '../../records/page-load.ts';
import type { RunRecord, Trial } from '../../records/run.ts';
import { liesOnSeveralMachines, wholeBlock } from '../../records/whole-block.ts';
import { type SiteCondition, siteConditionKey } from './cell.ts';
import { type Machine, machineOfLoad } from './machines.ts';

/** One planned block: every stack once, over the same network, one after the other. */
export interface Block {
  site: string;
  network: string;
  visit: Trial['visit'];
  block: number;
  /** Loads made of it, whatever came of them. */
  made: readonly PageLoad[];
  /**
   * Stack to its load, when every load planned in the block was made on one machine and is ok; null otherwise. Of a block
   * that was begun again, the first attempt in which all were made: loads of two attempts are never put together.
   */
  loads: ReadonlyMap<string, PageLoad> | null;
  /** On which machine these loads were made; null: there are none, or it is not known. */
  machine: string | null;
  /** Whether the loads were all ok, but made on several machines: they are never compared. */
  onSeveralMachines: boolean;
  /** Whether one of these loads was made while the machine was not quiet. */
  disturbed: boolean;
}

/** What is known of the machines of a run where its blocks are told. */
export type KnownMachines = readonly Pick<Machine, 'machine' | 'sittings'>[];

/**
 * The blocks of a run by site and condition (`siteConditionKey`), in the order of the plan. A load counts when it is in
 * the `loads` of its block, and in no other case.
 */
export function blocksOf(
  { trials }: Pick<RunRecord, 'trials'>,
  pageLoads: readonly PageLoad[],
  machines: KnownMachines = [],
): Map<string, Block[]> {
  const machineOf = machineOfLoad(machines);
  const madeOf = Map.groupBy(
    pageLoads.filter(({ warmup }) => !warmup),
    blockKey,
  );
  const planned = Map.groupBy(
    trials.filter(({ warmup }) => !warmup),
    blockKey,
  );
  const blocks = [...planned].flatMap(([key, trialsOfBlock]) => {
    const [first] = trialsOfBlock;
    if (!first) return [];
    const made = madeOf.get(key) ?? [];
    const stacks = trialsOfBlock.map(({ stack }) => stack);
    const loads = wholeBlock(stacks, made, machineOf);
    const [one] = loads?.values() ?? [];
    const { site, network, visit, block } = first;
    return [
      {
        ...{ site, network: network.name, visit, block, made, loads },
        machine: one ? machineOf(one) : null,
        onSeveralMachines: liesOnSeveralMachines(stacks, made, machineOf),
        disturbed: [...(loads?.values() ?? [])].some((load) => load.disturbed !== null),
      },
    ];
  });
  return Map.groupBy(blocks, ({ site, network, visit }) =>
    siteConditionKey({ site, network: { name: network }, visit }),
  );
}

/** The loads that the statistics of a run speak of, by their ids. */
export function countedLoadIds(
  run: Pick<RunRecord, 'trials'>,
  pageLoads: readonly PageLoad[],
  machines: KnownMachines = [],
): Set<string> {
  const blocks = [...blocksOf(run, pageLoads, machines).values()].flat();
  return new Set(blocks.flatMap(({ loads }) => [...(loads?.values() ?? [])].map(({ id }) => id)));
}

/** The same for loads and trials of the same block, and only then. */
export function blockKey(load: SiteCondition & { block: number }): string {
  return `${load.block} ${siteConditionKey(load)}`;
}
