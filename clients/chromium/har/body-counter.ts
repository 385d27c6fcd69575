import type { Protocol } from 'puppeteer-core';

/**
 * Counts a body as it arrives, up to its content-length. Chromium reports no end of a request whose body the page does not read,
 * as in `fetch(url).then(({ status }) => ...)` for a response that is not to be stored.
 */
export function bodyCounter(headers: Protocol.Network.Headers) {
  const length = headerOf(headers, 'content-length');
  const announcedBytes =
    length !== null && /^\d+$/.test(length) ? Number(length) : Number.POSITIVE_INFINITY;
  const isEncoded = headerOf(headers, 'content-encoding') !== null;
  let bytes = 0;
  return {
    receive({ dataLength, encodedDataLength }: Protocol.Network.DataReceivedEvent): void {
      bytes += isEncoded ? encodedDataLength : dataLength;
    },
    isComplete: () => bytes >= announcedBytes,
  };
}

/** Value of a header field, ignoring case; null: missing. */
export function headerOf(headers: Protocol.Network.Headers, name: string): string | null {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1] ?? null;
}
