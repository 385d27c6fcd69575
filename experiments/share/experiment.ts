import { BROWSER_OPTIONS } from '../../ground/options/common.ts';
import { medianReading } from '../../ground/records/load-readings.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { Slice } from '../planning.ts';
import { SHARING_METRICS } from './metrics.ts';
import { OPTIONS_OF_SHARING } from './options.ts';
import { planning } from './planning.ts';
import { FLOW_CHOICES, sharingDetailsSchema } from './records.ts';

export const share: Slice = {
  name: 'share',
  options: OPTIONS_OF_SHARING,
  // Flows name the stacks. Those of a block run at once and for a set duration.
  without: [...BROWSER_OPTIONS, 'sites', 'coalesce', 'stacks', 'order', 'timeout', 'event'],
  choices: FLOW_CHOICES,
  planning,
  command: {
    name: 'share',
    summary:
      'lets flows of several server stacks share one bottleneck and measures the goodput of each, their fairness and the queue',
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
  codes: {
    failed: {
      stalled: 'No byte of a flow arrived for a quarter of the counted time and at least 2 s.',
    },
  },
  details: sharingDetailsSchema,
  takesOwnServers: true,
  together: true,
  factors: {},
  metrics: SHARING_METRICS,
  // The kernel is the sender of all flows over TCP.
  differIn: (protocol, other) =>
    (protocol === 'h3') === (other === 'h3')
      ? null
      : 'The two have different implementations of congestion control, which decide the shares, not the protocol: with Cubic, lsquic reduces its window by 20 % at a loss, and the kernel by 30 %.',
  tables: async () => (await import('./table.ts')).sharingTables,
  hasSections: true,
  readings: (attempts: readonly Observation[]) => ({
    connections: medianReading(
      attempts.flatMap(({ connections }) => connections?.opened.length ?? []),
    ),
  }),
};
