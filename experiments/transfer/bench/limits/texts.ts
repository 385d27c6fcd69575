import { bytesText, decimalText } from '../../../../kit/text/number.ts';
import type { LimitedBy } from '../../records.ts';
import type { Special } from '../../test/e2e/watched-transfers.ts';

const SHARES: ReadonlySet<string> = new Set([
  'roundTripsPercent',
  'congestionWindowPercent',
  'receiveWindowPercent',
  'streamWindowPercent',
  'processorPercent',
  'linkPercent',
  'lossPercent',
  'untoldPercent',
]);

/** What held a transfer up for a twentieth of its time or longer. */
export function sharesText(seen: LimitedBy['observed']): string {
  return Object.entries(seen)
    .filter(([name, percent]) => SHARES.has(name) && (percent ?? 0) >= 5)
    .map(([name, percent]) => `${name.replace('Percent', '')} ${decimalText(percent ?? 0, 0)} %`)
    .join(', ');
}

/** What a transfer was made under. */
export function conditionText({
  network = {},
  streamWindowBytes,
  receiveWindowBytes,
}: Special): string {
  const { rttMs, downKbps, lossPercent } = network;
  const parts = [
    rttMs ? `${rttMs} ms` : 'no delay',
    ...(downKbps ? [`${downKbps / 1000} Mbit/s`] : []),
    ...(lossPercent ? [`loss ${lossPercent} %`] : []),
    ...(streamWindowBytes ? [`stream window ${bytesText(streamWindowBytes)}`] : []),
    ...(receiveWindowBytes ? [`receive window ${bytesText(receiveWindowBytes)}`] : []),
  ];
  return parts.join(', ');
}
