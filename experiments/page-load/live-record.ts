import * as s from '../../ground/records/schema.ts';

/** Of so many different requests the record says that they came: more are too much for a line. */
export const MOST_REQUESTS = 1000;

const hostSchema = s.object(
  {
    host: s.text('host:port.'),
    quic: s.flag('Whether it answers by HTTP/3: it was asked for that once before the loads.'),
    whyNot: s.orNull(s.text('Why it does not; null: it does, or it was not asked.')),
    announced: s.flag('Whether a response of it told of HTTP/3 (Alt-Svc).'),
    versions: s.map(s.count(''), 'Version of HTTP to number of responses.'),
    bytes: s.number('Bytes received from it, headers included, after TLS or QUIC.'),
    address: s.orNull(s.text('Of its first response; null: not told.')),
    server: s.orNull(s.text('The server header of its first response; null: none.')),
    connectMs: s.orNull(
      s.number(
        'How long the first connection to it took, TLS or QUIC handshake included; null: none was made for a request.',
      ),
    ),
  },
  'A host that answered, in the order asked.',
);

/** What is told of a load of the live web beside what all loads have. */
export const liveDetailsSchema = s.object(
  {
    url: s.text('The page, where redirects led to.'),
    hosts: s.list(hostSchema, 'The hosts that answered.'),
    requests: s.map(
      s.object(
        {
          count: s.count('How often.'),
          bytes: s.number('Bytes of the decoded bodies, all times together.'),
        },
        '',
      ),
      `What came, by method and URL without query: the first ${MOST_REQUESTS} of them.`,
    ),
    requestsCut: s.flag('Whether more came than those.'),
    failed: s.list(s.text('Method and URL without query.'), 'Requests that got no whole response.'),
  },
  'Of a page of the live web, told from the HAR; absent: the page is of the cache, or there is no HAR.',
);

export type LiveDetails = s.Static<typeof liveDetailsSchema>;
