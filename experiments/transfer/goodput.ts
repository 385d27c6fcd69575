import type { TransferResult } from '../../clients/transfer-client.ts';

/** Shortest time, the resolution of clients' clocks: in less, a body arrives in one burst. */
const LEAST_MS = 1;

/**
 * Goodput in kbit/s: bytes of bodies divided by the time from the earliest possible first byte (a round
 * trip of the path after the client may send) to the last byte. Measured from the actual first byte it
 * could exceed the path's rate: data behind a lost packet, or in a TLS record, arrives at once.
 * @param rttMs round-trip time added by the path
 * @returns null: no body, or a time below LEAST_MS
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
