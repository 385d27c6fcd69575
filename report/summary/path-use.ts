import type { Observation } from '../../records/observation.ts';
import { median } from '../../statistics/median.ts';

/** What loads sent over the path, down to the browser and up to the servers: medians; null: no load tells. */
export interface PathUse {
  /** With the Ethernet header of each packet. */
  downBytes: number | null;
  upBytes: number | null;
  downPackets: number | null;
  upPackets: number | null;
}

/** The medians over some loads. */
export function pathUseOf(loads: readonly Observation[]): PathUse {
  const medianOf = (direction: 'toClient' | 'toServer', count: 'bytes' | 'packets') =>
    median(loads.flatMap(({ path }) => path?.[direction][count] ?? []));
  return {
    downBytes: medianOf('toClient', 'bytes'),
    upBytes: medianOf('toServer', 'bytes'),
    downPackets: medianOf('toClient', 'packets'),
    upPackets: medianOf('toServer', 'packets'),
  };
}
