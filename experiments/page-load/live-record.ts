import {
  count,
  flag,
  list,
  map,
  number,
  object,
  orNull,
  type Static,
  text,
} from '../../ground/records/schema.ts';

/** Of so many different requests the record says that they came: more are too much for a line. */
export const MOST_REQUESTS = 1000;

const hostSchema = object(
  {
    host: text('host:port.'),
    quic: flag('Whether it answers by HTTP/3: it was asked for that once before the loads.'),
    whyNot: orNull(text('Why it does not; null: it does, or it was not asked.')),
    announced: flag('Whether a response of it told of HTTP/3 (Alt-Svc).'),
    versions: map(count(''), 'Version of HTTP to number of responses.'),
    bytes: number('Bytes received from it, headers included, after TLS or QUIC.'),
    address: orNull(text('Of its first response; null: not told.')),
    server: orNull(text('The server header of its first response; null: none.')),
    connectMs: orNull(
      number(
        'How long the first connection to it took, TLS or QUIC handshake included; null: none was made for a request.',
      ),
    ),
  },
  'A host that answered, in the order asked.',
);

/** What is told of a load of the live web beside what all loads have. */
export const liveDetailsSchema = object(
  {
    url: text('The page, where redirects led to.'),
    hosts: list(hostSchema, 'The hosts that answered.'),
    requests: map(
      object(
        {
          count: count('How often.'),
          bytes: number('Bytes of the decoded bodies, all times together.'),
        },
        '',
      ),
      `What came, by method and URL without query: the first ${MOST_REQUESTS} of them.`,
    ),
    requestsCut: flag('Whether more came than those.'),
    failed: list(text('Method and URL without query.'), 'Requests that got no whole response.'),
  },
  'Of a page of the live web, told from the HAR; absent: the page is of the cache, or there is no HAR.',
);

export type LiveDetails = Static<typeof liveDetailsSchema>;
