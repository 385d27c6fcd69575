import type { TransferResult } from '../../clients/transfer-client.ts';
import { accumulate, type CumulativeCount, cumulativeCount } from './limits/cumulative-count.ts';
import type { ObservedTransfer } from './limits/observed-transfer.ts';
import type { TransferStep } from './records.ts';

const STEP_MS = 100;

/** Progress in steps of 100 ms from the request to the end; the last one may be shorter. */
export function seriesOf(
  { series, lastByteMs, bodyBytes }: Pick<TransferResult, 'series' | 'lastByteMs' | 'bodyBytes'>,
  { sender, link, occupation }: Pick<ObservedTransfer, 'sender' | 'link' | 'occupation'>,
): TransferStep[] {
  const endMs = lastByteMs ?? series.at(-1)?.atMs ?? 0;
  const cpu = occupation && {
    client: accumulate(occupation, ({ client }) => client.cpuMs),
    server: accumulate(occupation, ({ server }) => server.cpuMs),
  };
  const bytes = cumulativeCount(series.map(({ atMs, bytes: count }) => ({ atMs, count })));
  const steps = Math.max(1, Math.ceil(endMs / STEP_MS));
  return Array.from({ length: steps }, (_, step) => {
    const fromMs = step * STEP_MS;
    const atMs = Math.min(endMs, fromMs + STEP_MS);
    // There is no new sample without a change.
    const sample = sender?.findLast((each) => each.atMs <= atMs);
    const waitsMs = link
      ?.filter((each) => each.atMs >= fromMs && each.atMs < atMs)
      .map(({ mostWaitMs }) => mostWaitMs);
    return {
      atMs,
      // Programs read the clock again before they log the last entry.
      bytes: atMs === endMs ? bodyBytes : Math.round(bytes.at(atMs)),
      cwndBytes: sample?.cwndBytes ?? null,
      inFlightBytes: sample?.inFlightBytes ?? null,
      rttMs: sample?.rttMs ?? null,
      queueMs: waitsMs === undefined ? null : Math.max(0, ...waitsMs),
      clientCpuPercent: percentOf(cpu?.client, fromMs, atMs),
      serverCpuPercent: percentOf(cpu?.server, fromMs, atMs),
    };
  });
}

function percentOf(cpu: CumulativeCount | undefined, fromMs: number, atMs: number): number | null {
  if (cpu === undefined || atMs <= fromMs) return null;
  return (100 * cpu.between(fromMs, atMs)) / (atMs - fromMs);
}
