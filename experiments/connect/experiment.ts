import { clientsFor } from '../../clients/index.ts';
import { type Factor, type FactorValue, type Metric, TIME } from '../../ground/experiment.ts';
import { BROWSER_OPTIONS } from '../../ground/options/common.ts';
import {
  type ConnectDetails,
  connectionDetailsSchema,
  type Resumption,
} from '../../ground/records/connection-attempt.ts';
import { defaultTransport } from '../../ground/records/connection-transport.ts';
import { medianReading } from '../../ground/records/load-readings.ts';
import type { Observation } from '../../ground/records/observation.ts';
import { renameDetails, type UncheckedRecord } from '../../ground/records/older-format.ts';
import type { Protocol } from '../../ground/records/protocol.ts';
import type { Slice } from '../planning.ts';
import { CONNECTION_CHOICES } from './choices.ts';
import { OPTIONS_OF_CONNECTIONS } from './options.ts';
import { planning } from './planning.ts';

/** A metric: the time from the connection request to an event of the connection. */
function timeUntil(
  name: string,
  word: string,
  until: string,
  rest: Pick<Metric, 'definition' | 'source' | 'missing'>,
): Metric {
  return {
    ...TIME,
    name,
    word,
    column: word.replaceAll('-', '_'),
    label: `Time until ${until}`,
    phrase: `time until ${until}`,
    phrases: `times until ${until}`,
    inPhrase: ` until ${until}`,
    ...rest,
  };
}

const CLIENTS = clientsFor('connect');

const CLIENT_CLOCK = "the client's own clock";
/** Why an attempt lacks such a time; imported tables may have fewer times than a client reports. */
function missingReason(reason: string) {
  return ({ network, outcome }: Observation) =>
    network.backend === 'read' && outcome === 'ok' ? 'the imported file does not have it' : reason;
}

function isByQuic({ details, protocol }: Observation): boolean {
  return ((details as ConnectDetails | null)?.transport ?? defaultTransport(protocol)) === 'quic';
}

const NEVER_MADE = missingReason('the connection was never made');
const NOTHING_ANSWERED = missingReason(
  'there was no request (--requests 0, or TCP alone) or no response',
);

/** Times of a connection, each since the connection request. */
const TIMES: readonly Metric[] = [
  timeUntil('maySendMs', 'may-send', 'the client may send', {
    definition:
      'From the connection request to the instant when the client may send its first HTTP request. TCP and TLS: the end of both handshakes. QUIC: the first 1-RTT secret, or that of early data.',
    source: `${CLIENT_CLOCK}: ${CLIENTS.flatMap(({ connect }) => connect.maySendSource ?? []).join(', ')}`,
    missing: NEVER_MADE,
  }),
  timeUntil('completeMs', 'complete', 'the handshake is complete', {
    definition:
      'From the connection request to the instant when the client has received the whole handshake and sends its own last message.',
    source: CLIENT_CLOCK,
    missing: NEVER_MADE,
  }),
  timeUntil('confirmedMs', 'confirmed', 'the handshake is confirmed', {
    definition:
      'From the connection request to the instant when the client knows that the server has received the whole handshake: HANDSHAKE_DONE of QUIC. TLS on TCP has no such instant.',
    source: CLIENT_CLOCK,
    missing: missingReason('TLS on TCP has no such instant, or the connection was never made'),
  }),
  timeUntil('tcpMs', 'tcp', 'TCP is connected', {
    definition:
      'From the connection request to the end of the TCP handshake. QUIC has no such instant.',
    source: CLIENT_CLOCK,
    missing: (attempt) => (isByQuic(attempt) ? 'QUIC has no TCP' : NEVER_MADE(attempt)),
  }),
  timeUntil('firstByteMs', 'first-byte', 'the first byte of the response', {
    definition: 'From the connection request to the first byte of the response.',
    source: CLIENT_CLOCK,
    missing: NOTHING_ANSWERED,
  }),
  timeUntil('totalMs', 'total', 'the whole response', {
    definition: 'From the connection request to the last byte of the response.',
    source: CLIENT_CLOCK,
    missing: NOTHING_ANSWERED,
  }),
];

const RESUMPTION: Factor = {
  none: { text: 'full handshake', phrase: null },
  ticket: { text: 'resumed by a ticket', phrase: 'a handshake resumed by a ticket' },
  'early-data': { text: 'early data', phrase: 'a handshake with early data' },
} satisfies Record<Resumption, FactorValue>;

const IP_VERSIONS: Factor = {
  '4': { text: 'IPv4', phrase: null },
  '6': { text: 'IPv6', phrase: 'IPv6' },
};

/** Records before format 5.4 have no transport and no client: all are full handshakes by Bun. */
function upgradeRecord(attempt: UncheckedRecord): UncheckedRecord {
  const renamed = renameDetails(attempt, { via: 'transport' });
  const { protocol, details } = renamed;
  if (!(details instanceof Object) || 'transport' in details) return renamed;
  const added = { lookupMs: null, client: 'bun', resumption: 'none', facts: null, error: null };
  return {
    ...renamed,
    details: { transport: defaultTransport(protocol as Protocol), ...added, ...details },
  };
}

/** Handshakes with the servers of each stack, one connection at a time. */
export const connect: Slice = {
  name: 'connect',
  options: OPTIONS_OF_CONNECTIONS,
  without: [...BROWSER_OPTIONS, 'event'],
  choices: CONNECTION_CHOICES,
  planning,
  hasReading: true,
  takesOwnServers: true,
  choosesVersion: true,
  upgrade: upgradeRecord,
  command: {
    name: 'connect',
    summary: 'sets up connections to several server stacks and compares how long handshakes take',
    operands: [
      {
        name: 'HOST[:PORT]',
        help: 'with --live: hosts to connect to, or @FILE with one per line; without --live: local servers',
        many: true,
      },
    ],
    examples: [
      ['', '3 stacks, with and without delay, until every question is decided'],
      ['--sites www.example.org --rtt 0,20,50,100', 'how handshakes grow with the round-trip time'],
      ['--via quic,tls1.3,tls1.2,tcp --resumption none,ticket', 'every kind of handshake'],
      ['--live www.example.org --ipv 4,6 --repetitions 10', 'a host of the internet'],
    ],
  },
  attempt: ['connection', 'connections'],
  subject: ['host', 'hosts'],
  site: ['host', 'hosts'],
  client: 'bun',
  clients: CLIENTS.map(({ name }) => name),
  clientNoun: 'client',
  recordFile: 'connections.jsonl',
  codes: {
    failed: {
      'lookup-failed': 'The name could not be resolved (`connect --live`).',
    },
    invalid: {
      'early-data-rejected': 'The server rejected data sent with a ticket.',
    },
  },
  details: connectionDetailsSchema,
  factors: { ipv: IP_VERSIONS, resumption: RESUMPTION },
  metrics: TIMES,
  tables: async () => [(await import('./table.ts')).connectionTable],
  dialects: {
    jaeger: {
      help: 'jaeger: connections.jaeger.csv, for programs that read the files of B. Jaeger’s study (2018)',
      load: async () => (await import('./jaeger.ts')).jaegerTable,
    },
  },
  hasSections: true,
  readings: (attempts: readonly Observation[]) => ({
    connections: medianReading(
      attempts.flatMap(({ connections }) => connections?.opened.length ?? []),
    ),
  }),
};
