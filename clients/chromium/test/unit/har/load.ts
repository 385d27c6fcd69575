import { harFromMessages } from 'chrome-har';
import type { Har, HarEntry } from '../../../../har/har.ts';
import type { LoadDescription } from '../../../../har/load-description.ts';
import { buildHar } from '../../../har/build.ts';
import type { CdpEvent } from '../../../har/events.ts';

/** Start of the loads of these tests, by the browser's clock and the wall clock. */
export const START_S = 1000;
export const START = '2026-01-01T00:00:00.000Z';

export const ABOUT: LoadDescription = {
  site: 'www.example.org',
  stack: 'lsquic-h3',
  url: 'https://www.example.org/',
  comment: 'a test',
  browserVersion: '156.0.0.0',
  creatorVersion: '0.1.0',
};

export const DOCUMENT = {
  requestId: 'D1',
  url: ABOUT.url,
  type: 'Document',
  initiator: { type: 'other' },
};

/** A time of the browser's clock. */
export function atS(ms: number): number {
  return START_S + ms / 1000;
}

interface RequestOptions {
  requestId: string;
  url: string;
  ms?: number;
  type?: string;
  initiator?: object;
  /** More of the request: method, headers, postData ... */
  request?: object;
  /** More of the event: redirectResponse ... */
  [more: string]: unknown;
}

/** The browser makes a request, or takes the next step of a redirect. */
export function requestEvent({
  requestId,
  url,
  ms = 0,
  request,
  ...more
}: RequestOptions): CdpEvent {
  return {
    method: 'Network.requestWillBeSent',
    params: {
      requestId,
      frameId: 'F1',
      timestamp: atS(ms),
      wallTime: Date.parse(START) / 1000 + ms / 1000,
      type: 'Image',
      initiator: { type: 'parser', url: ABOUT.url, lineNumber: 4 },
      redirectHasExtraInfo: false,
      ...more,
      request: {
        url,
        method: 'GET',
        headers: { accept: '*/*' },
        initialPriority: 'Low',
        ...request,
      },
    },
  };
}

/** Request headers as sent on the wire. */
export function sentHeaders(requestId: string, headers: object): CdpEvent {
  return {
    method: 'Network.requestWillBeSentExtraInfo',
    params: { requestId, associatedCookies: [], headers },
  };
}

/** Response headers as received on the wire. */
export function receivedHeaders(requestId: string, headers: object, more = {}): CdpEvent {
  return {
    method: 'Network.responseReceivedExtraInfo',
    params: { requestId, blockedCookies: [], headers, statusCode: 200, ...more },
  };
}

/**
 * A response over a new connection: 5 ms of phases with an unassigned 1 ms, then 10 ms of waiting.
 */
export function responseOf(url: string, ms: number, more = {}) {
  return {
    url,
    status: 200,
    statusText: '',
    headers: { 'content-type': 'text/plain' },
    mimeType: 'text/plain',
    connectionId: 37,
    remoteIPAddress: '127.0.1.1',
    remotePort: 40001,
    encodedDataLength: 50,
    protocol: 'h3',
    securityDetails: {
      protocol: 'QUIC',
      cipher: 'AES_128_GCM',
      keyExchange: '',
      keyExchangeGroup: 'X25519',
      subjectName: 'www.example.org',
    },
    timing: {
      requestTime: atS(ms),
      dnsStart: 0,
      dnsEnd: 1,
      connectStart: 1.5,
      connectEnd: 4.5,
      sslStart: 1.5,
      sslEnd: 4.5,
      sendStart: 5,
      sendEnd: 5.25,
      receiveHeadersEnd: 15.25,
    },
    ...more,
  };
}

export function responseEvent(
  requestId: string,
  ms: number,
  response: object,
  more = {},
): CdpEvent {
  return {
    method: 'Network.responseReceived',
    params: {
      requestId,
      frameId: 'F1',
      timestamp: atS(ms),
      hasExtraInfo: false,
      response: responseOf('', 0, response),
      ...more,
    },
  };
}

export function dataEvent(requestId: string, dataLength: number, encodedDataLength = 0): CdpEvent {
  return {
    method: 'Network.dataReceived',
    params: { requestId, timestamp: atS(16), dataLength, encodedDataLength },
  };
}

export function finishedEvent(requestId: string, ms: number, encodedDataLength = 50): CdpEvent {
  return {
    method: 'Network.loadingFinished',
    params: { requestId, timestamp: atS(ms), encodedDataLength },
  };
}

export function failedEvent(requestId: string, ms: number, more = {}): CdpEvent {
  return {
    method: 'Network.loadingFailed',
    params: {
      requestId,
      timestamp: atS(ms),
      type: 'Image',
      errorText: 'net::ERR_NAME_NOT_RESOLVED',
      ...more,
    },
  };
}

/** The events of a main document without problems, 0 to 20 ms. */
export function documentLoaded(response = {}): CdpEvent[] {
  return [
    requestEvent(DOCUMENT),
    responseEvent('D1', 16, responseOf(ABOUT.url, 0, response)),
    finishedEvent('D1', 20),
  ];
}

/** The HAR's entry of a URL. */
export function entryOf(har: Har, url: string): HarEntry {
  const found = har.log.entries.filter(({ request }) => request.url === url);
  if (found[0] === undefined || found.length > 1) {
    throw new Error(`expected one entry of ${url}, found ${found.length}`);
  }
  return found[0];
}

/** The entry of a URL in a load with these events after the main document. */
export function repaired(url: string, events: readonly CdpEvent[]): HarEntry {
  return entryOf(buildHar([...documentLoaded(), ...events], ABOUT), url);
}

/** The same by chrome-har alone: proves that the defect is there, and fails when a new version no longer needs its repair. */
// biome-ignore lint/suspicious/noExplicitAny: defects are what no type describes
export function unrepaired(events: readonly CdpEvent[]): any[] {
  const page = { method: 'Page.frameStartedLoading', params: { frameId: 'F1' } };
  const messages = [page, ...documentLoaded(), ...events];
  return harFromMessages(structuredClone(messages)).log.entries;
}
