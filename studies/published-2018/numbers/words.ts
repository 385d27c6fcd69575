import type { PublishedDelayMs, PublishedProtocol } from './published-numbers.ts';

export const SIDE_LABELS: Record<PublishedProtocol, string> = { quic: 'QUIC', https: 'HTTPS' };

/** The published networks, at the beginning of a sentence. */
export const DELAY_TEXTS: Record<PublishedDelayMs, string> = {
  0: 'No added delay',
  30: '30 ms round-trip time added',
};

export function roundTripsText(value: number | null): string {
  return value === null ? '–' : value.toFixed(2).replace('-', '−');
}
