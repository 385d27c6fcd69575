import { medianLoad } from '../../../ground/records/median-load.ts';
import type { Transfer } from './transfers.ts';

/** The transfer in the middle by its total time; null: none came to its end. */
export function medianTransfer(transfers: readonly Transfer[]): Transfer | null {
  const timed = transfers.flatMap((transfer) => {
    const { totalMs = null } = transfer.metrics;
    return totalMs === null ? [] : [{ transfer, value: totalMs }];
  });
  return medianLoad(timed)?.transfer ?? null;
}
