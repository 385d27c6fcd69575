import type { TransferResult } from '../../clients/transfer-client.ts';

/** What comes in less is not spread over time, and the clocks of clients are not finer. */
const LEAST_MS = 1;

/**
 * Goodput in kbit/s: bytes of bodies by the time that they took, from the moment when the first of them could be there, a round trip
 * of the path after the client may send. Counting from the first byte that is there would be more than the path carries: what waited
 * behind a lost packet, or for the end of a TLS record, is there at once. null: there is nothing to tell it of.
 * @param rttMs what the path adds
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
