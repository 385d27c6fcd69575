import { limitedByOf } from '../experiments/transfer/limits/model.ts';
import type { Limit } from '../records/transfer.ts';
import { bytesText, decimalText } from '../report/text/number.ts';
import { LIMITED_TRANSFERS, type LimitedTransfer } from '../test/e2e/limited-transfers.ts';
import { type Special, withTransferPath, withTransfers } from '../test/e2e/watched-transfers.ts';
import { loadText } from './load.ts';

const SHARES = new Set([
  'roundTripsPercent',
  'congestionWindowPercent',
  'receiveWindowPercent',
  'streamWindowPercent',
  'processorPercent',
  'linkPercent',
  'lossPercent',
  'untoldPercent',
]);

// What the model says of transfers of which it is known what holds them up. It is handed what was observed, and neither options nor condition.
console.log(`load ${loadText()} at the start\n`);
console.log('| stack | size | condition | made scarce | told | share of the time | total |');
console.log('|---|---|---|---|---|---|---|');
let right = 0;
await withTransferPath(async (path) => {
  for (const limited of LIMITED_TRANSFERS) {
    await withTransfers(path, limited, async ({ transfer }) => {
      // The first one warms both programs up.
      await transfer({ ...limited.special, network: {} });
      const { observed, made } = await transfer(limited.special);
      const told = observed && limitedByOf(observed);
      if (told?.limit === limited.limit) right++;
      print(limited, told?.limit ?? null, told?.observed ?? {}, made.error?.reason ?? null);
    });
  }
});
console.log(`\n${right} of ${LIMITED_TRANSFERS.length} told right; load ${loadText()} at the end`);

function print(
  { stack, bytes, special, limit }: LimitedTransfer,
  told: Limit | null,
  seen: Readonly<Record<string, number | null>>,
  error: string | null,
): void {
  const shares = Object.entries(seen)
    .filter(([name, percent]) => SHARES.has(name) && (percent ?? 0) >= 5)
    .map(([name, percent]) => `${name.replace('Percent', '')} ${decimalText(percent ?? 0, 0)} %`);
  const cells = [
    stack,
    bytesText(bytes),
    conditionText(special),
    limit,
    told === limit ? told : `**${told ?? 'not told'}**`,
    error ?? shares.join(', '),
    `${decimalText(seen.totalMs ?? 0, 0)} ms`,
  ];
  console.log(`| ${cells.join(' | ')} |`);
}

function conditionText({ network = {}, streamWindowBytes, receiveWindowBytes }: Special): string {
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
