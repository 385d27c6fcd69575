import { CONGESTION_CONTROLS } from '../../ground/records/congestion-control.ts';
import { pathCountsSchema } from '../../ground/records/network.ts';
import { BOUNDS, withinMs } from '../../ground/records/ranges.ts';
import * as s from '../../ground/records/schema.ts';

/** Maximum of flows of a mix, because each is a process. */
export const MOST_FLOWS = 20;

const mixSchema = s.object(
  {
    subject: s.fileName('The name of the mix: 1-lsquic-h3+1-bun-h2.'),
    flows: s.list(
      s.object(
        {
          stack: s.fileName('The server stack.'),
          flows: s.count('Number of its flows.', { minimum: 1, maximum: MOST_FLOWS }),
        },
        'The flows of one stack.',
      ),
      'In order.',
    ),
  },
  'Flows that share the bottleneck.',
);

export type Mix = s.Static<typeof mixSchema>;

const flowChoicesSchema = s.object(
  {
    mixes: s.list(mixSchema, 'One for each subject.'),
    durationMs: s.number(
      'Time during which all flows of a mix are active, in ms.',
      withinMs(BOUNDS.flowsS),
    ),
    startGapMs: s.number(
      'Time between the starts of two flows, in ms; 0: all at once.',
      withinMs(BOUNDS.startGapS),
    ),
  },
  'Choices of sharing; absent in other experiments and before format 5.5.',
);

export const FLOW_CHOICES = { name: 'flows', schema: flowChoicesSchema };

export type FlowChoices = s.Static<typeof flowChoicesSchema>;

/** Length of the steps of series of flows. */
export const FLOW_STEP_MS = 100;

const flowSchema = s.object(
  {
    flow: s.fileName('Its arm and a number: bun-h2.2.'),
    startOrder: s.count(
      'Place in the order of starts of its trial, from 1. Without a gap between the starts the order is due to chance.',
      { minimum: 1 },
    ),
    beganMs: s.orNull(
      s.number('Time of its request since that of the first flow, in ms; null: no request.'),
    ),
    clientPort: s.orNull(s.count("The client's port, which identifies the flow; null: unknown.")),
    congestionControl: s.oneOf(CONGESTION_CONTROLS, 'Configured congestion control of its sender.'),
    goodputKbps: s.orNull(
      s.number(
        'Bytes of its body received in the counted time, divided by that time; null: it failed.',
      ),
    ),
    sharePercent: s.orNull(
      s.percent('Share of the goodput of all flows in the counted time; null: a flow failed.'),
    ),
    rttMs: s.orNull(
      s.number(
        "Median of its sender's smoothed round-trip times in the counted time, in ms; null: not reported.",
      ),
    ),
    retransmitted: s.orNull(s.count('Retransmitted packets of its sender; null: not reported.')),
    stepBytes: s.list(
      s.count(''),
      'Bytes of its body received in each step of 100 ms since the request for the first flow.',
    ),
    error: s.orNull(s.text('Why it failed, by the client; null: it succeeded.')),
  },
  'A flow: a client process that downloads from the stack for the duration.',
);

export type Flow = s.Static<typeof flowSchema>;

export const sharingDetailsSchema = s.object(
  {
    measuredBy: s.fileName(
      'Id of the trial that ran all flows of its block, equal in all of their records.',
    ),
    flows: s.list(flowSchema, "The arm's own flows."),
    path: s.orNull(
      pathCountsSchema,
      'Counts of the path in the whole trial, of the flows of all arms together; null: not counted.',
    ),
    countedFromMs: s.orNull(
      s.number(
        'Start of the counted time, when the last flow of the trial has settled, since the request for the first flow, in ms.',
      ),
    ),
    countedMs: s.orNull(s.number('From then to the end of the first flow, in ms.')),
    queue: s.orNull(
      s.object(
        {
          setBytes: s.count('Limit of the queue towards the client, in bytes.'),
          mostBytes: s.count('Most bytes queued at once, including the packet being sent.'),
          stepMs: s.list(
            s.number(''),
            'Maximum delay of the last packet in each step of 100 ms since the request for the first flow, in ms.',
          ),
        },
        "The bottleneck's queue towards the client.",
      ),
      "The bottleneck's queue towards the client; null: not reported by the backend.",
    ),
  },
  'Fields of flows alone.',
);

export type SharingDetails = s.Static<typeof sharingDetailsSchema>;
