import type { TransferResult } from '../../clients/transfer-client.ts';

/** Shorter bodies arrive in one burst, and clocks of clients have this resolution. */
const LEAST_MS = 1;

/**
 * Goodput in kbit/s: bytes of bodies divided by the time from the earliest possible first byte, a round
 * trip of the path after the client may send, to the last byte. From the actual first byte it could
 * exceed the rate of the path: data behind a lost packet, or in a TLS record, arrives at once. null:
 * no body, or a time below LEAST_MS.
 * @param rttMs added by the path
 */
export function goodputKbps(
  {
    connectMs,
    lastByteMs,
    bodyBytes,
  }: Pick<TransferResult, 'connectMs' | 'lastByteMs' | 'bodyBytes'>,
  rttMs: number,
): number | null {
  if (connectMs === null || lastByteMs === null || bodyBytes === 0) return null;
  const forMs = lastByteMs - connectMs - rttMs;
  return forMs >= LEAST_MS ? (8 * bodyBytes) / forMs : null;
}
