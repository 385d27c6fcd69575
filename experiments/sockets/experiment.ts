import { type Metric, TIME } from '../../ground/experiment.ts';
import { BROWSER_OPTIONS, type RunValues } from '../../ground/options/common.ts';
import { medianReading } from '../../ground/records/load-readings.ts';
import type { Observation } from '../../ground/records/observation.ts';
import { socketDetailsSchema } from '../../ground/records/socket-events.ts';
import type { Slice } from '../planning.ts';
import type { Durations } from './durations.ts';
import { MESSAGE_CHOICES, SOCKET_OPTIONS } from './options.ts';
import { socketQuic, socketTcp, socketTls } from './servers/stack.ts';

/** Metric of the duration of a part. */
function duration(
  name: keyof Durations,
  word: string,
  phrase: string,
  rest: Pick<Metric, 'definition'> & Partial<Pick<Metric, 'missing'>>,
): Metric {
  return {
    ...TIME,
    name,
    word,
    column: word.replaceAll('-', '_'),
    label: `${phrase[0]?.toUpperCase()}${phrase.slice(1)}`,
    phrase,
    phrases: phrase.replace('time', 'times'),
    inPhrase: ` in ${phrase}`,
    source: "the machine's monotonic clock, read by the programs at both ends",
    missing: () => 'the exchange ended before, or the server did not report it',
    ...rest,
  };
}

const NOTHING_REUSED = {
  missing: () => 'only one message was sent (without --reuse), or the exchange ended before',
};

/** Consecutive parts of an exchange, then the total, then later messages. */
const DURATIONS: readonly Metric[] = [
  duration('handshakeMs', 'handshake', 'handshake time', {
    definition:
      "From the request for the connection until the client may send: after TCP's handshake and that of TLS on top; with QUIC, from the first 1-RTT secret.",
  }),
  duration('firstByteMs', 'first-byte', 'first-byte time', {
    definition:
      'From when the client may send, and does, to the first byte of the message at the server: one way over the path.',
  }),
  duration('transferMs', 'transfer', 'transfer time', {
    definition:
      'From the first byte of the message at the server to the last byte of it back at the client, which the server sends as soon as it has the whole message.',
  }),
  duration('closeMs', 'close', 'close time', {
    definition:
      "From the client's call to close, when all messages are back, until both ends are closed. The protocols differ: TCP's client waits a round trip for the other end's FIN. QUIC's client is closed once it has sent CONNECTION_CLOSE, which has no response (RFC 9000, 10.2), and the server half a round trip later.",
  }),
  duration('totalMs', 'total', 'total time', {
    definition: 'From the request for the connection until both ends are closed.',
  }),
  duration('reuseFirstByteMs', 'reuse-first-byte', 'first-byte time over an open connection', {
    definition:
      'For messages over an open connection (--reuse): from sending one to its first byte at the server. The median of several messages.',
    ...NOTHING_REUSED,
  }),
  duration('reuseTransferMs', 'reuse-transfer', 'transfer time over an open connection', {
    definition:
      'For messages over an open connection (--reuse): from the first byte at the server to the last one back at the client. The median of several messages.',
    ...NOTHING_REUSED,
  }),
];

/** Exchanges messages between two programs of one runtime, without HTTP, and records events at both ends. */
export const sockets: Slice = {
  name: 'sockets',
  command: {
    name: 'sockets',
    summary:
      'exchanges a message between sockets of QUIC, TLS and TCP and records the events at both ends',
    examples: [
      ['', '3 protocols, with and without delay, until every question is decided'],
      ['--sites www.example.org --rtt 0,10,20,50', 'how each part grows with the round-trip time'],
      ['--reuse --message 10000', 'a second message of 10 kB over the open connection'],
    ],
  },
  attempt: ['exchange', 'exchanges'],
  subject: ['site', 'sites'],
  site: ['site', 'sites'],
  options: SOCKET_OPTIONS,
  // A server of the user's own serves HTTP only.
  without: [...BROWSER_OPTIONS, 'server', 'event'],
  choices: MESSAGE_CHOICES,
  planning: {
    choices: ({ message, reuse }: RunValues<typeof SOCKET_OPTIONS>) => ({
      messageBytes: message,
      messages: 1 + (reuse ?? 0),
    }),
  },
  stacks: [socketQuic, socketTls, socketTcp],
  client: 'bun',
  clientNoun: 'client',
  recordFile: 'sockets.jsonl',
  codes: {
    failed: {
      'exchange-failed':
        'After connecting, a message did not return or an end did not close in time.',
    },
  },
  details: socketDetailsSchema,
  factors: {},
  metrics: DURATIONS,
  hasSections: true,
  readings: (attempts: readonly Observation[]) => ({
    connections: medianReading(
      attempts.flatMap(({ connections }) => connections?.opened.length ?? []),
    ),
  }),
};
