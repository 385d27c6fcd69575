import { BROWSER_OPTIONS } from '../../ground/options/common.ts';
import { medianReading } from '../../ground/records/load-readings.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { Slice } from '../planning.ts';
import { SHARING_METRICS } from './metrics.ts';
import { OPTIONS_OF_SHARING } from './options.ts';
import { planning } from './planning.ts';
import { FLOW_CHOICES, sharingDetailsSchema } from './records.ts';

/** Flows of several server stacks over one bottleneck, at the same time. */
export const share: Slice = {
  name: 'share',
  options: OPTIONS_OF_SHARING,
  // Flows name the stacks, and those of a block are there at once, for as long as they are let.
  without: [
    ...BROWSER_OPTIONS,
    'sites',
    'coalesce',
    'stacks',
    'server',
    'order',
    'timeout',
    'event',
  ],
  choices: FLOW_CHOICES,
  planning,
  command: {
    name: 'share',
    summary:
      'lets flows of several server stacks share one bottleneck, and tells what each of them gets, how fair that is, and what it does to the queue',
    examples: [
      [
        '--down 10000',
        'one flow by HTTP/3 against one by HTTP/2, until it is decided who gets more',
      ],
      [
        '--down 10000 --flows lsquic-h3:1,bun-h2:1/lsquic-h3:1,bun-h2:3 --queue-bdp 0.5,1,2',
        'against one and against three, with a short, a usual and a long queue',
      ],
      [
        '--down 10000 --flows bun-h2:2 --repetitions 20',
        'two equal flows: is the bench itself fair?',
      ],
      ['--down 10000 --start-gap 5', 'the second flow begins 5 s after the first'],
    ],
  },
  attempt: ['set of flows', 'sets of flows'],
  subject: ['mix', 'mixes'],
  site: ['mix', 'mixes'],
  client: 'bun',
  clientNoun: 'client',
  recordFile: 'sharing.jsonl',
  details: sharingDetailsSchema,
  together: true,
  factors: {},
  metrics: SHARING_METRICS,
  // Flows over TCP have the kernel's senders, whichever server they are of.
  differIn: (protocol, other) =>
    (protocol === 'h3') === (other === 'h3')
      ? null
      : 'Each of the two brings a congestion control of its own, and that is what shares, not the protocol: as Cubic, lsquic takes 20 % off its window at a loss, and the kernel 30 %.',
  tables: async () => (await import('./table.ts')).sharingTables,
  hasSections: true,
  readings: (attempts: readonly Observation[]) => ({
    connections: medianReading(
      attempts.flatMap(({ connections }) => connections?.opened.length ?? []),
    ),
  }),
};
