import { countedLoads, liesOnSeveralMachines } from '../../records/counted-loads.ts';
import type { PageLoad } from '../../records/page-load.ts';
import type { RunRecord, Trial } from '../../records/run.ts';
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
  /** Stack to its load that is ok, of the attempt that stands. Loads of two attempts, or machines, are never put together. */
  loads: ReadonlyMap<string, PageLoad>;
  /** The same for loads that failed by their own server or page: values slower than all others, and not gaps. */
  failed: ReadonlyMap<string, PageLoad>;
  /** Whether every load planned in the block is ok. */
  whole: boolean;
  /** On which machine these loads were made; null: there are none, or it is not known. */
  machine: string | null;
  /** Whether there are loads that would count, but made on several machines: they are never compared. */
  onSeveralMachines: boolean;
  /** Whether one of these loads was made while the machine was not quiet. */
  disturbed: boolean;
}

/** What is known of the machines of a run where its blocks are told. */
export type KnownMachines = readonly Pick<Machine, 'machine' | 'sittings'>[];

/**
 * The blocks of a run by site and condition (`siteConditionKey`), in the order of the plan. A load counts when it is in
 * the `loads` or the `failed` of its block, and in no other case.
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
    const { ok: loads, failed } = countedLoads(stacks, made, machineOf);
    const [one] = [...loads.values(), ...failed.values()];
    const { site, network, visit, block } = first;
    return [
      {
        ...{ site, network: network.name, visit, block, made, loads, failed },
        whole: stacks.every((stack) => loads.has(stack)),
        machine: one ? machineOf(one) : null,
        onSeveralMachines: liesOnSeveralMachines(stacks, made, machineOf),
        disturbed: [...loads.values(), ...failed.values()].some((load) => load.disturbed !== null),
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
  return new Set(blocks.flatMap(({ loads }) => [...loads.values()].map(({ id }) => id)));
}

/** The same for loads and trials of the same block, and only then. */
export function blockKey(load: SiteCondition & { block: number }): string {
  return `${load.block} ${siteConditionKey(load)}`;
}
