import { blockKey } from '../../../ground/records/cell.ts';
import { medianLoad } from '../../../ground/records/median-load.ts';
import type { Observation } from '../../../ground/records/observation.ts';
import type { Estimate } from '../../../kit/text/estimate.ts';
import { medianEstimate } from '../../estimates.ts';
import type { RunView } from '../../run-view.ts';
import type { TransferDetails } from '../records.ts';

export type Transfer = Observation<TransferDetails>;

export type Condition = RunView['conditions'][number];

export function countedOf(
  { counted }: Pick<RunView, 'counted'>,
  { loads }: Pick<Condition, 'loads'>,
): Transfer[] {
  return (loads as readonly Transfer[]).filter(({ id }) => counted.has(id));
}

export interface Size {
  /** As in `--size`: `10kB`. */
  subject: string;
  bytes: number;
  /** By arm. */
  transfers: ReadonlyMap<string, readonly Transfer[]>;
}

/** Sizes with transfers, the smallest first. */
export function sizesOf(transfers: readonly Transfer[]): Size[] {
  return [...Map.groupBy(transfers, ({ subject }) => subject)]
    .flatMap(([subject, own]): Size[] => {
      const bytes = own.find(({ details }) => details !== null)?.details?.bytes;
      if (bytes === undefined) return [];
      return [{ subject, bytes, transfers: Map.groupBy(own, ({ arm }) => arm) }];
    })
    .toSorted((a, b) => a.bytes - b.bytes);
}

/** Median of transfers with its interval; null: no transfer has a value. */
export function medianEstimateOf(
  transfers: readonly Transfer[] | undefined,
  numberIn: (transfer: Transfer) => number | null,
): Estimate | null {
  return medianEstimate((transfers ?? []).map(numberIn));
}

/** Pairs of values of two arms, for blocks in which both are above 0. */
export function pairsOf(
  { transfers }: Pick<Size, 'transfers'>,
  [arm, baseline]: readonly [arm: string, baseline: string],
  numberIn: (transfer: Transfer) => number | null,
): (readonly [number, number])[] {
  const baseOf = new Map((transfers.get(baseline) ?? []).map((each) => [blockKey(each), each]));
  return (transfers.get(arm) ?? []).flatMap((each) => {
    const base = baseOf.get(blockKey(each));
    const values = [numberIn(each), base ? numberIn(base) : null] as const;
    return isAbove0(values[0]) && isAbove0(values[1]) ? [[values[0], values[1]] as const] : [];
  });
}

export function isAbove0(value: number | null): value is number {
  return value !== null && value > 0;
}

/** The transfer with the median total time; null: no transfer completed. */
export function medianTransfer(transfers: readonly Transfer[]): Transfer | null {
  const timed = transfers.flatMap((transfer) => {
    const { totalMs = null } = transfer.metrics;
    return totalMs === null ? [] : [{ transfer, value: totalMs }];
  });
  return medianLoad(timed)?.transfer ?? null;
}
