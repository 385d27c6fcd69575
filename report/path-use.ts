import type { Observation } from '../records/observation.ts';
import { number, object, orNull, type Static } from '../records/schema.ts';
import { median } from '../statistics/median.ts';

const known = (description: string) => orNull(number(description));

export const pathUseSchema = object(
  {
    downBytes: known('To the browser, with the Ethernet header of each packet.'),
    upBytes: known('To the servers, with the Ethernet header of each packet.'),
    downPackets: known('To the browser.'),
    upPackets: known('To the servers.'),
  },
  'What loads sent over the path: medians; null: no load tells.',
);

/** What loads sent over the path, down to the browser and up to the servers: medians; null: no load tells. */
export type PathUse = Static<typeof pathUseSchema>;

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
