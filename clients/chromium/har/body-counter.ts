import type { Protocol } from 'puppeteer-core';

/**
 * Counts a body as it comes, up to the length that the header fields announce. Chromium reports no end of a request whose body the page
 * leaves unread, as for `fetch(url).then(({ status }) => ...)` of a response that is not to be stored.
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

/** The value of a header field, whatever the case of its name; null: it is not there. */
export function headerOf(headers: Protocol.Network.Headers, name: string): string | null {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1] ?? null;
}
