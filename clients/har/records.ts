import * as s from '../../ground/records/schema.ts';

/**
 * How a page load spent its time, in ms: each instant from navigationStart to loadEventEnd is in exactly one phase, so the sum is the
 * page load time.
 */
export const phasesSchema = s.object(
  {
    setUp: s.anyNumber(
      'Connecting (name, TCP, TLS or QUIC), while no request waited for a response or received one.',
    ),
    waiting: s.anyNumber(
      'Waiting for a response to a sent request, while no response was arriving.',
    ),
    transfer: s.anyNumber(
      'Receiving at least one response, between its headers and its last byte.',
    ),
    rest: s.anyNumber('The network was idle: the browser worked, or held requests back.'),
  },
  'Phases of the page load time, derived from the HAR, in ms: each instant is in one phase; null: not known.',
);

export type LoadPhasesMs = s.Static<typeof phasesSchema>;

export const trafficSchema = s.object(
  {
    responses200: s.count('Responses with status 200.'),
    errorResponses: s.count('Responses with status 400 or more.'),
    failedRequests: s.count('Requests without a response (blocked host, reset, abort).'),
    connectionsByHost: s.map(
      s.count(''),
      'Host to the number of distinct connections that carried its responses; hosts may share one.',
    ),
    protocols: s.map(s.count(''), 'Protocol to number of responses.'),
    tlsVersion: s.orNull(s.text("Of the main document, in Chromium's words: QUIC, TLS 1.3.")),
    cipher: s.orNull(s.text("Of the main document, in Chromium's words.")),
    keyExchangeGroup: s.orNull(
      s.text("Of the main document's connection: X25519, X25519MLKEM768."),
    ),
    fromCache: s.count("Responses from the browser's cache; no other number here includes them."),
    responseHeaderNames: s.list(
      s.text(''),
      'Names of all response header fields: lower case, sorted, unique.',
    ),
    responseHeadersSha256: s.sha256(
      "Over URL, status and header fields of every response, without date and HTTP/1.1's connection fields: equal for two loads with the same responses.",
    ),
  },
  'Network traffic in addition to the metrics, from the HAR; null: no HAR.',
);

export type TrafficRecord = s.Static<typeof trafficSchema>;

export const replaySchema = s.object(
  {
    exact: s.count('Requests whose whole URL was recorded.'),
    byQuery: s.list(
      s.object(
        {
          requested: s.text('The requested URL.'),
          answered: s.text('The recorded URL that answered.'),
        },
        '',
      ),
      'Requests answered by a recorded URL of the same path with another query.',
    ),
    unknown: s.list(s.text(''), 'Method and URL of requests without a recorded response.'),
  },
  'How the recording answered the requests; null: no HAR could be made.',
);

/** How the recording answered a load's requests; servers/README.md has the rules. */
export type ReplayRecord = s.Static<typeof replaySchema>;

export const largestPaintSchema = s.object(
  {
    element: s.text('Tag with id and first class: img#hero.wide; empty: no longer in the page.'),
    url: s.orNull(s.text('URL of its image; null: text, or an image within the page.')),
    areaPx: s.number('Its area in CSS pixels.'),
    splitMs: s.orNull(
      s.object(
        {
          order: s.number('Until the request was sent or began to connect.'),
          connection: s.number('Connecting: name, TCP, TLS or QUIC.'),
          waiting: s.number('From the request to the first byte of the response.'),
          receiving: s.number('From the first byte to the last one, or to the paint.'),
          render: s.number('From the last byte to the paint.'),
        },
        'Parts of the time until the paint, in ms, by the request for the image, or for the document; null: not over the network.',
      ),
    ),
  },
  'What the largest contentful paint shows, and what it waited for; null: nothing was painted.',
);

/** What the largest contentful paint of a load shows. */
export type LargestPaintRecord = s.Static<typeof largestPaintSchema>;

export const versionsSchema = s.object(
  {
    document: s.orNull(
      s.text('Protocol of the main document: h2, h3; null: no response, or a cached one.'),
    ),
    responses: s.map(s.count('Responses by this version.'), 'By version: h2, h3.'),
    advertisedH3: s.flag('Whether a response advertised HTTP/3 (Alt-Svc).'),
  },
  '',
);

/** Versions of HTTP of a load. */
export type VersionsRecord = s.Static<typeof versionsSchema>;
