import { differenceEstimate, medianEstimate } from '../../experiments/estimates.ts';
import type { PageLoadDetails } from '../../experiments/page-load/details.ts';
import { LOSS_FIELDS } from '../../ground/records/dimensions.ts';
import { type NetworkCondition, networkKeyWithout } from '../../ground/records/network.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { Estimate } from '../../kit/text/estimate.ts';
import { median } from '../../statistics/median.ts';

/** Finish time of each object, in the order of the site's manifest; null: never finished. */
type FinishMs = readonly (number | null)[];

export interface Delays {
  /** Number of blocks with both loads. */
  pairs: number;
  /** Medians over the loads of the first finish time, of the second, and so on. */
  finishMs: { lossy: number[]; whole: number[] };
  /** Number of objects that finished later by more than half a round trip. */
  delayed: Estimate | null;
  /** Their median delay, in ms. */
  delayMs: Estimate | null;
  /** Delay of the last object to finish, in ms. */
  lastDelayMs: Estimate | null;
}

/** Equal for paths that differ only in their losses. */
export function apartFromLosses(network: NetworkCondition): string {
  return networkKeyWithout(network, ...LOSS_FIELDS);
}

/**
 * Compares loads with losses with loads without, of one page by one stack, block by block; null: one side has no finish times.
 */
export function delaysOf(
  lossy: readonly Observation[],
  whole: readonly Observation[],
  rttMs: number,
): Delays | null {
  const [lossyMs, wholeMs] = [byBlock(lossy), byBlock(whole)];
  if (lossyMs.size === 0 || wholeMs.size === 0) return null;
  const pairs = [...lossyMs].flatMap(([block, late]) => {
    const early = wholeMs.get(block);
    return early ? [{ late, early, delaysMs: differences(late, early) }] : [];
  });
  const delayed = pairs.map(({ delaysMs }) => delaysMs.filter((delayMs) => delayMs > rttMs / 2));
  return {
    pairs: pairs.length,
    finishMs: {
      lossy: medianTimes([...lossyMs.values()]),
      whole: medianTimes([...wholeMs.values()]),
    },
    delayed: medianEstimate(delayed.map((delaysMs) => delaysMs.length)),
    delayMs: medianEstimate(delayed.map((delaysMs) => median(delaysMs))),
    lastDelayMs: differenceEstimate(pairs.map(({ late, early }) => lastOf(late) - lastOf(early))),
  };
}

function byBlock(loads: readonly Observation[]): Map<number, FinishMs> {
  return new Map(
    loads.flatMap(({ block, details }): [number, FinishMs][] => {
      const { finishMs = null } = (details ?? {}) as Partial<PageLoadDetails>;
      return finishMs?.some((ms) => ms !== null) ? [[block, finishMs]] : [];
    }),
  );
}

/** For objects that finished in both. */
function differences(late: FinishMs, early: FinishMs): number[] {
  return late.flatMap((ms, object) => {
    const before = early[object] ?? null;
    return ms === null || before === null ? [] : [ms - before];
  });
}

function lastOf(finishMs: FinishMs): number {
  return Math.max(...timesIn(finishMs));
}

function timesIn(finishMs: FinishMs): number[] {
  return finishMs.flatMap((ms) => ms ?? []).toSorted((a, b) => a - b);
}

/** The nth median is over the loads with at least n objects. */
function medianTimes(loads: readonly FinishMs[]): number[] {
  const sorted = loads.map(timesIn);
  const most = Math.max(...sorted.map(({ length }) => length));
  return Array.from({ length: most }, (_, place) =>
    median(sorted.flatMap((timesMs) => timesMs[place] ?? [])),
  ).flatMap((ms) => ms ?? []);
}
