import { clientsFor } from '../../clients/index.ts';
import type { Factor } from '../../ground/experiment.ts';
import { BROWSER_OPTIONS } from '../../ground/options/common.ts';
import { medianReading } from '../../ground/records/load-readings.ts';
import type { Observation } from '../../ground/records/observation.ts';
import { renameDetails } from '../../ground/records/older-format.ts';
import { STACKS } from '../../servers/index.ts';
import type { Slice } from '../planning.ts';
import { TRANSFER_CHOICES } from './choices.ts';
import { TRANSFER_METRICS } from './metrics.ts';
import { TRANSFER_OPTIONS } from './options.ts';
import { planning } from './planning.ts';
import { MOST_STREAMS, streamsName, transferDetailsSchema } from './records.ts';
import { plainQuic, plainTcp, plainTls } from './servers/stack.ts';

const STREAMS: Factor = Object.fromEntries(
  Array.from({ length: MOST_STREAMS }, (_, index) => {
    const name = streamsName(index + 1);
    const text = name.replace('-', ' ');
    return [name, { text, phrase: index === 0 ? null : text }];
  }),
);

export const transfer: Slice = {
  name: 'transfer',
  options: TRANSFER_OPTIONS,
  without: [...BROWSER_OPTIONS, 'sites', 'coalesce'],
  choices: TRANSFER_CHOICES,
  planning,
  command: {
    name: 'transfer',
    summary:
      'transfers files of exact sizes from and to several server stacks, compares goodput and processor time, and finds what limits them',
    examples: [
      ['', '4 sizes, 3 stacks, with and without delay, until every question is decided'],
      ['--size 100MB --down 200000 --rtt 20', 'a large file over 200 Mbit/s'],
      [
        '--size 1MB,10MB --streams 1,10 --loss 0,1',
        'one stream against ten, with and without loss',
      ],
      ['--size 10MB --upload --client chromium', 'uploads by Chromium'],
    ],
  },
  attempt: ['transfer', 'transfers'],
  subject: ['size', 'sizes'],
  site: ['size', 'sizes'],
  stacks: [...STACKS, plainQuic, plainTls, plainTcp],
  client: 'bun',
  clients: clientsFor('transfer').map(({ name }) => name),
  clientNoun: 'client',
  upgrade: (attempt) =>
    renameDetails(attempt, {
      raised: 'relaxed',
      raisedMs: 'relaxedMs',
      asItWasMs: 'unchangedMs',
      limitThen: 'limitAfter',
      untoldPercent: 'unknownPercent',
    }),
  recordFile: 'transfers.jsonl',
  codes: {
    failed: {
      'connect-failed': 'No connection was made.',
      'http-error': 'A response had an unexpected status or protocol.',
      'cut-off': 'A connection or stream ended before its body.',
      'wrong-size':
        'Bytes of bodies are missing, as counted by the client, or by the server of an upload.',
    },
    invalid: {
      'link-busy':
        'The program that carries the packets was the busiest and the processor limited the transfer, so the bench was measured.',
    },
  },
  details: transferDetailsSchema,
  takesOwnServers: true,
  factors: { streams: STREAMS },
  metrics: TRANSFER_METRICS,
  tables: async () => (await import('./table.ts')).transferTables,
  hasSections: true,
  readings: (attempts: readonly Observation[]) => ({
    connections: medianReading(
      attempts.flatMap(({ connections }) => connections?.opened.length ?? []),
    ),
  }),
};
