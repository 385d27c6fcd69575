import type { PageLoad } from '../../records/page-load.ts';
import type { RunRecord, Trial } from '../../records/run.ts';
import { type SiteCondition, siteConditionKey } from './cell.ts';

/** One planned block: every stack once, over the same network, one after the other. */
export interface Block {
  site: string;
  network: string;
  visit: Trial['visit'];
  block: number;
  /** Loads made of it, further attempts included. */
  nMade: number;
  /**
   * Stack to its load, when every load planned in the block was made and is ok; null otherwise. Of a block that was
   * loaded again, the first attempt in which all are ok: loads of two attempts are never put together.
   */
  loads: ReadonlyMap<string, PageLoad> | null;
  /** Whether one of these loads was made while the machine was not quiet. */
  disturbed: boolean;
}

/**
 * The blocks of a run by site and condition (`siteConditionKey`), in the order of the plan. A load counts when it is in
 * the `loads` of its block, and in no other case.
 */
export function blocksOf(
  { trials }: Pick<RunRecord, 'trials'>,
  pageLoads: readonly PageLoad[],
): Map<string, Block[]> {
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
    const loads = wholeAttempt(trialsOfBlock, made);
    const { site, network, visit, block } = first;
    const disturbed = [...(loads?.values() ?? [])].some((load) => load.disturbed !== null);
    return [{ site, network: network.name, visit, block, nMade: made.length, loads, disturbed }];
  });
  return Map.groupBy(blocks, ({ site, network, visit }) =>
    siteConditionKey({ site, network: { name: network }, visit }),
  );
}

/** The loads that the statistics of a run speak of, by their ids. */
export function countedLoadIds(
  run: Pick<RunRecord, 'trials'>,
  pageLoads: readonly PageLoad[],
): Set<string> {
  const blocks = [...blocksOf(run, pageLoads).values()].flat();
  return new Set(blocks.flatMap(({ loads }) => [...(loads?.values() ?? [])].map(({ id }) => id)));
}

/** The same for loads and trials of the same block, and only then. */
export function blockKey(load: SiteCondition & { block: number }): string {
  return `${load.block} ${siteConditionKey(load)}`;
}

function wholeAttempt(
  planned: readonly Trial[],
  made: readonly PageLoad[],
): Map<string, PageLoad> | null {
  const attempts = Map.groupBy(made, ({ attempt }) => attempt);
  for (const [, loads] of [...attempts].sort(([a], [b]) => a - b)) {
    const ok = new Map(
      loads.filter(({ outcome }) => outcome === 'ok').map((load) => [load.stack, load]),
    );
    // A load that is there twice, once not ok, breaks its block too.
    if (loads.length === planned.length && planned.every(({ stack }) => ok.has(stack))) return ok;
  }
  return null;
}
