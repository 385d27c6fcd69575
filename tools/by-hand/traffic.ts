import type { DirectionCounts, PathCounts } from '../../ground/records/network.ts';
import { bytesText, counted, countText, decimalText } from '../../kit/text/number.ts';

/** What went over a path, as lines for a person. */
export function trafficLines({ toServer, toClient, maxLatenessMs }: PathCounts): readonly string[] {
  return [
    'Over the path went:',
    `  to the server  ${wentText(toServer)}`,
    `  to the client  ${wentText(toClient)}`,
    ...(maxLatenessMs === null
      ? []
      : [`  the latest packet left ${decimalText(maxLatenessMs)} ms too late`]),
  ];
}

function wentText({ packets, bytes, lost, queueDrops, udpDropped = 0 }: DirectionCounts): string {
  return [
    `${counted(packets, 'packet')}, ${bytesText(bytes)}`,
    `${countText(lost)} lost`,
    ...(queueDrops > 0 ? [`${countText(queueDrops)} dropped where the queue was full`] : []),
    ...(udpDropped > 0 ? [`${countText(udpDropped)} of UDP not let through`] : []),
  ].join('; ');
}
