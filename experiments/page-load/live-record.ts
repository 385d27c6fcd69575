import * as s from '../../ground/records/schema.ts';

/** Maximum number of distinct requests in a record. */
export const MOST_REQUESTS = 1000;

const hostSchema = s.object(
  {
    host: s.text('host:port.'),
    quic: s.flag('Whether it answers by HTTP/3, by one attempt before the loads.'),
    whyNot: s.orNull(s.text('Why it does not; null: it does, or it was not tried.')),
    announced: s.flag('Whether one of its responses announced HTTP/3 (Alt-Svc).'),
    versions: s.map(s.count(''), 'Version of HTTP to number of responses.'),
    bytes: s.number('Bytes received from it, headers included, after TLS or QUIC.'),
    address: s.orNull(s.text('Of its first response; null: unknown.')),
    server: s.orNull(s.text('The server header of its first response; null: no such header.')),
    connectMs: s.orNull(
      s.number(
        'Duration of the first connection to it, including the handshake of TLS or QUIC; null: no request had to connect.',
      ),
    ),
  },
  'A host that answered, in the order of the requests.',
);

/** Fields of loads of the live web in addition to those of all loads. */
export const liveDetailsSchema = s.object(
  {
    url: s.text('The page, after redirects.'),
    hosts: s.list(hostSchema, 'The hosts that answered.'),
    requests: s.map(
      s.object(
        {
          count: s.count('Number of responses.'),
          bytes: s.number('Bytes of all decoded bodies.'),
        },
        '',
      ),
      `Complete responses by method and URL without query: the first ${MOST_REQUESTS} of them.`,
    ),
    requestsCut: s.flag('Whether there were more.'),
    failed: s.list(
      s.text('Method and URL without query.'),
      'Requests without a complete response.',
    ),
  },
  'Fields of a page of the live web, from the HAR; absent: a page of the cache, or no HAR.',
);

export type LiveDetails = s.Static<typeof liveDetailsSchema>;
