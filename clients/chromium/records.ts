import * as s from '../../ground/records/schema.ts';

/**
 * What a page load's time was spent on, in ms: each instant from navigationStart to loadEventEnd is in exactly one phase,
 * so the phases add up to the page load time.
 */
export const phasesSchema = s.object(
  {
    setUp: s.anyNumber(
      'A connection was being made (name, TCP, TLS or QUIC), and no request was waiting for a response or receiving one.',
    ),
    waiting: s.anyNumber('A request was sent and not answered yet, and no response was arriving.'),
    transfer: s.anyNumber(
      'At least one response was arriving: after its headers, before its last byte.',
    ),
    rest: s.anyNumber(
      'The network had nothing to do: the browser worked, or held its requests back.',
    ),
  },
  'What the page load time was spent on, told from the HAR, in ms: each instant is in one phase; null: it cannot be told.',
);

export type LoadPhasesMs = s.Static<typeof phasesSchema>;

export const trafficSchema = s.object(
  {
    responses200: s.count('Responses with status 200.'),
    errorResponses: s.count('Responses with status 400 or more.'),
    failedRequests: s.count('Requests without a response (blocked host, reset, abort).'),
    connectionsByHost: s.map(
      s.count(''),
      'Host to the number of distinct connections that carried its responses; one may serve several hosts.',
    ),
    protocols: s.map(s.count(''), 'Protocol to number of responses.'),
    tlsVersion: s.orNull(s.text('Of the main document, as Chromium says it: QUIC, TLS 1.3.')),
    cipher: s.orNull(s.text('Of the main document, as Chromium says it.')),
    keyExchangeGroup: s.orNull(
      s.text("Of the main document's connection: X25519, X25519MLKEM768."),
    ),
    fromCache: s.count(
      "Responses that came out of the browser's cache; they are in no other number here.",
    ),
    responseHeaderNames: s.list(
      s.text(''),
      'Names of all response header fields, in lower case, sorted, each once.',
    ),
    responseHeadersSha256: s.sha256(
      "Over URL, status and header fields of every response, date and the fields of HTTP/1.1's connection left out: the same in two loads that were served the same.",
    ),
  },
  'What came over the wire beside what metrics count, told from the HAR; null: no HAR.',
);

export type TrafficRecord = s.Static<typeof trafficSchema>;

export const replaySchema = s.object(
  {
    exact: s.count('Requests whose whole URL was recorded.'),
    byQuery: s.list(
      s.object(
        {
          asked: s.text('The URL asked for.'),
          answered: s.text('The recorded URL that answered.'),
        },
        '',
      ),
      'Requests that were answered by another query of the same path.',
    ),
    unknown: s.list(s.text(''), 'Method and URL of requests that the recording does not have.'),
  },
  'How the requests were answered from the recording; null: no HAR could be made.',
);

/** How the requests of a load were answered from the recording; servers/README.md has the rules. */
export type ReplayRecord = s.Static<typeof replaySchema>;

export const versionsSchema = s.object(
  {
    document: s.orNull(
      s.text('By which the main document came: h2, h3; null: it did not, or out of a cache.'),
    ),
    responses: s.map(s.count('Responses that came by it.'), 'By version: h2, h3.'),
    toldOfH3: s.flag('Whether a response said that HTTP/3 is spoken there too (Alt-Svc).'),
  },
  '',
);

/** By which versions of HTTP a load came. */
export type VersionsRecord = s.Static<typeof versionsSchema>;
