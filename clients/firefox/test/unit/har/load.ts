import type { Har, HarEntry } from '../../../../har/har.ts';
import type { LoadDescription } from '../../../../har/load-description.ts';
import type { BidiEvent } from '../../../bidi.ts';
import type { ChannelFacts } from '../../../channel-facts.ts';
import { buildFirefoxHar } from '../../../har/build.ts';

/** Start of the loads of these tests. */
export const START_MS = Date.UTC(2026, 0, 1);

export const ABOUT: LoadDescription = {
  site: 'www.example.org',
  stack: 'lsquic-h3',
  url: 'https://www.example.org/',
  comment: 'a test',
  browserVersion: '153.8.0',
  creatorVersion: '0.1.0',
};

const NOTHING_MS = {
  dnsStartMs: 0,
  dnsEndMs: 0,
  connectStartMs: 0,
  tlsStartMs: 0,
  connectEndMs: 0,
  requestStartMs: 0,
  responseStartMs: 0,
  responseEndMs: 0,
};

const MOMENTS = ['openedMs', 'endedMs', ...Object.keys(NOTHING_MS)];

type Changes = Partial<ChannelFacts>;

/** A channel with a response over an open connection. Its times are in ms since the start of the load; 0 is none, except of openedMs. */
export function channel(changes: Changes = {}): ChannelFacts {
  const facts: ChannelFacts = {
    firstId: 1,
    url: 'https://www.example.org/a.png',
    method: 'GET',
    purpose: 'IMAGE',
    innerPurpose: 'INTERNAL_IMAGE',
    initiatorUrl: 'https://www.example.org/',
    openedMs: 30,
    ...NOTHING_MS,
    requestStartMs: 32,
    responseStartMs: 42,
    responseEndMs: 45,
    endedMs: 47,
    error: null,
    blocked: null,
    status: 200,
    statusText: 'OK',
    version: '3.0',
    cache: null,
    requestHeaders: [['Accept', '*/*']],
    responseHeaders: [['content-type', 'image/png']],
    contentType: 'image/png',
    requestBody: null,
    connection: { localPort: 40001, address: '127.0.1.1', port: 443 },
    tls: { version: 4, cipher: 'TLS_AES_128_GCM_SHA256', group: 'x25519' },
    requestBytes: 300,
    transferBytes: 150,
    encodedBytes: 100,
    decodedBytes: 0,
    ...changes,
  };
  const moments = Object.entries(facts)
    .filter(([name, ms]) => MOMENTS.includes(name) && ms !== null)
    .filter(([name, ms]) => ms !== 0 || name === 'openedMs')
    .map(([name, ms]) => [name, START_MS + Number(ms)]);
  return { ...facts, ...Object.fromEntries(moments) };
}

/** The main document, over a new connection, 0 to 20 ms. */
export function documentChannel(changes: Changes = {}): ChannelFacts {
  return channel({
    firstId: 0,
    url: ABOUT.url,
    purpose: 'DOCUMENT',
    innerPurpose: 'DOCUMENT',
    initiatorUrl: '',
    openedMs: 0,
    dnsStartMs: 1,
    dnsEndMs: 2,
    connectStartMs: 2.5,
    tlsStartMs: 3,
    connectEndMs: 5.5,
    requestStartMs: 6,
    responseStartMs: 16,
    responseEndMs: 20,
    endedMs: 22,
    contentType: 'text/html',
    ...changes,
  });
}

export function pageEvent(name: string, ms: number, context = 'tab'): BidiEvent {
  const params = { context, timestamp: START_MS + ms, url: ABOUT.url };
  return { method: `browsingContext.${name}`, params };
}

export function harOf(channels: readonly ChannelFacts[], events: readonly BidiEvent[] = []): Har {
  return buildFirefoxHar({ events, channels }, ABOUT);
}

/** The entry of a channel that follows the main document. */
export function entryOf(changes: Changes): HarEntry {
  const entry = harOf([documentChannel(), channel(changes)]).log.entries[1];
  if (entry === undefined) throw new Error('no entry');
  return entry;
}
