import { medianReading } from '../../records/load-readings.ts';
import type { Observation } from '../../records/observation.ts';
import { object, type Static, text } from '../../records/schema.ts';
import { type Experiment, type Metric, TIME } from '../experiment.ts';
import { handshakes } from './section.ts';

const detailsSchema = object(
  {
    host: text('The name that was asked for.'),
    address: text('ip:port of the server.'),
  },
  'What only connections have.',
);

export type ConnectDetails = Static<typeof detailsSchema>;

const maySend: Metric = {
  ...TIME,
  name: 'maySendMs',
  word: 'may-send',
  column: 'may_send',
  label: 'Time until the client may send',
  phrase: 'time until the client may send',
  phrases: 'times until the client may send',
  inPhrase: ' until the client may send',
  definition:
    'From asking for the connection to the moment from which the client may send its first request: by TLS the end of its handshake, that of TCP included; by QUIC the first 1-RTT secret.',
  source: "the client's own clock: secureConnect of node:tls, the key log of node:quic",
  missing: () => 'the connection was never made',
};

/** Handshakes with the servers of each stack, one connection at a time, each a full one. */
export const connect: Experiment = {
  name: 'connect',
  command: {
    name: 'connect',
    summary: 'sets up connections to several server stacks and compares how long handshakes take',
    examples: [
      ['', '3 stacks, with and without delay, until every answer is decided'],
      ['--sites www.example.org --rtt 0,20,50,100', 'how handshakes grow with the round-trip time'],
    ],
  },
  attempt: ['connection', 'connections'],
  subject: ['site', 'sites'],
  client: 'bun',
  clientNoun: 'client',
  recordFile: 'connections.jsonl',
  details: detailsSchema,
  factors: {},
  metrics: [maySend],
  sections: [handshakes],
  readings: (attempts: readonly Observation[]) => ({
    connections: medianReading(
      attempts.flatMap(({ connections }) => connections?.opened.length ?? []),
    ),
  }),
};
