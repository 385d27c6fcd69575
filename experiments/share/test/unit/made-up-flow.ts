import type { TransferResult } from '../../../../clients/transfer-client.ts';

/** A flow as its client reports it: arrivals in each step of 100 ms, from its first byte on. */
export function madeUpFlow({
  requestedAtMs = 1_000_000,
  firstByteMs = 100,
  stepBytes,
}: {
  requestedAtMs?: number;
  firstByteMs?: number;
  stepBytes: readonly number[];
}): TransferResult {
  let bytes = 0;
  const series = stepBytes.flatMap((each, index) => {
    bytes += each;
    return each === 0 ? [] : [{ atMs: firstByteMs + 100 * (index + 1), bytes }];
  });
  const endMs = firstByteMs + 100 * stepBytes.length;
  return {
    requestedAtMs,
    connectMs: firstByteMs / 2,
    firstByteMs,
    lastByteMs: endMs,
    bodyBytes: bytes,
    series: [{ atMs: firstByteMs, bytes: 0 }, ...series, { atMs: endMs, bytes }],
    error: null,
    keyLog: '',
  };
}

/** The same number repeatedly. */
export function steps(count: number, each: number): number[] {
  return Array.from({ length: count }, () => each);
}
