import { type Metric, TIME } from '../../ground/experiment.ts';
import { BROWSER_OPTIONS, type RunValues } from '../../ground/options/common.ts';
import { medianReading } from '../../ground/records/load-readings.ts';
import type { Observation } from '../../ground/records/observation.ts';
import { socketDetailsSchema } from '../../ground/records/socket-events.ts';
import type { Slice } from '../planning.ts';
import type { Durations } from './durations.ts';
import { MESSAGE_CHOICES, SOCKET_OPTIONS } from './options.ts';
import { socketQuic, socketTcp, socketTls } from './servers/stack.ts';

/** Words of how long one part of an exchange takes. */
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
    missing: () => 'the exchange never came to that, or the server did not tell',
    ...rest,
  };
}

const NOTHING_REUSED = {
  missing: () => 'one message was sent (without --reuse), or the exchange never came to that',
};

/** The parts of an exchange, one after the other; then all of them, and what later messages take. */
const DURATIONS: readonly Metric[] = [
  duration('handshakeMs', 'handshake', 'handshake time', {
    definition:
      "From asking for the connection to the moment from which the client may send: TCP's own handshake is in it, and that of TLS on top; by QUIC the first 1-RTT secret.",
  }),
  duration('firstByteMs', 'first-byte', 'first-byte time', {
    definition:
      'From the moment when the client may send, and does, to the first byte of the message at the server: one way over the path.',
  }),
  duration('transferMs', 'transfer', 'transfer time', {
    definition:
      'From the first byte of the message at the server to the last byte of it back at the client, which the server sends as soon as it has the whole message.',
  }),
  duration('closeMs', 'close', 'close time', {
    definition:
      "From the client's wish to close, which it has when all is back, to the later of the two ends being closed. Not the same in both protocols: TCP's client waits for the other end's FIN, a round trip; QUIC's end is closed as soon as it has sent CONNECTION_CLOSE, which nothing answers (RFC 9000, 10.2), and the server's half a round trip later.",
  }),
  duration('totalMs', 'total', 'total time', {
    definition: 'From asking for the connection to both ends being closed.',
  }),
  duration('reuseFirstByteMs', 'reuse-first-byte', 'first-byte time over an open connection', {
    definition:
      'The same of messages over the connection that is open (--reuse): from sending one to its first byte at the server; the median where there are several.',
    ...NOTHING_REUSED,
  }),
  duration('reuseTransferMs', 'reuse-transfer', 'transfer time over an open connection', {
    definition:
      'The same of messages over the connection that is open (--reuse): from the first byte at the server to the last one back at the client; the median where there are several.',
    ...NOTHING_REUSED,
  }),
];

/** Messages between two programs of one runtime without HTTP, and what happens at both ends on one axis. */
export const sockets: Slice = {
  name: 'sockets',
  command: {
    name: 'sockets',
    summary:
      'exchanges a message between sockets of QUIC, TLS and TCP and tells what happens at both ends, and when',
    examples: [
      ['', '3 protocols, with and without delay, until every answer is decided'],
      ['--sites www.example.org --rtt 0,10,20,50', 'how each part grows with the round-trip time'],
      ['--reuse --message 10000', 'a second message of 10 kB over the open connection'],
    ],
  },
  attempt: ['exchange', 'exchanges'],
  subject: ['site', 'sites'],
  site: ['site', 'sites'],
  options: SOCKET_OPTIONS,
  // Without HTTP there is nothing that a server of the user's own could serve.
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
