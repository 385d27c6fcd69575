import { CONGESTION_CONTROLS } from '../../ground/records/congestion-control.ts';
import { pathCountsSchema } from '../../ground/records/network.ts';
import { BOUNDS, withinMs } from '../../ground/records/ranges.ts';
import * as s from '../../ground/records/schema.ts';

/** The most flows of a mix: each is a process of its own. */
export const MOST_FLOWS = 20;

const mixSchema = s.object(
  {
    subject: s.fileName('The name of the mix: 1-lsquic-h3+1-bun-h2.'),
    flows: s.list(
      s.object(
        {
          stack: s.fileName('The server stack.'),
          flows: s.count('How many flows it has.', { minimum: 1, maximum: MOST_FLOWS }),
        },
        'The flows of one stack.',
      ),
      'The stacks in their order.',
    ),
  },
  'Flows that share the bottleneck.',
);

/** Flows that share the bottleneck, by their stacks. */
export type Mix = s.Static<typeof mixSchema>;

const flowChoicesSchema = s.object(
  {
    mixes: s.list(mixSchema, 'One for each subject.'),
    durationMs: s.number(
      'How long all flows of a mix are there at once, in ms.',
      withinMs(BOUNDS.flowsS),
    ),
    startGapMs: s.number(
      'How long after one flow the next one begins, in ms; 0: all at once.',
      withinMs(BOUNDS.startGapS),
    ),
  },
  'What only sharing has; absent in other experiments, and before format 5.5.',
);

/** Its part of the choices of run.json. */
export const FLOW_CHOICES = { name: 'flows', schema: flowChoicesSchema };

/** What holds for all mixes of a run. */
export type FlowChoices = s.Static<typeof flowChoicesSchema>;

/** Length of the steps that series of flows have. */
export const FLOW_STEP_MS = 100;

const flowSchema = s.object(
  {
    flow: s.fileName('Its arm and a number: bun-h2.2.'),
    startOrder: s.count(
      '1: it was the first of its trial to begin. Without a gap between the starts it is chance by how many ms.',
      { minimum: 1 },
    ),
    beganMs: s.orNull(
      s.number('When it was asked for, since the first one was, in ms; null: it never was.'),
    ),
    clientPort: s.orNull(s.count("The client's port, which tells it from others; null: not told.")),
    congestionControl: s.oneOf(CONGESTION_CONTROLS, 'What its sender was asked to use.'),
    goodputKbps: s.orNull(
      s.number(
        'Bytes of its body that arrived in the counted time, by that time; null: it failed.',
      ),
    ),
    sharePercent: s.orNull(
      s.percent('Of what all flows got in the counted time; null: one of them failed.'),
    ),
    rttMs: s.orNull(
      s.number(
        "Median of its sender's smoothed round-trip times in the counted time, in ms; null: the sender does not tell.",
      ),
    ),
    retransmitted: s.orNull(
      s.count('Packets that its sender sent again; null: the sender does not tell.'),
    ),
    stepBytes: s.list(
      s.count(''),
      'Bytes of its body that arrived in each step of 100 ms since the first flow was asked for.',
    ),
    error: s.orNull(s.text('Why it came to no end, as the client says; null: it did.')),
  },
  'A flow: a client of its own that downloads from the stack as long as it is let.',
);

export type Flow = s.Static<typeof flowSchema>;

/** What only the flows of an arm have. */
export const sharingDetailsSchema = s.object(
  {
    measuredBy: s.fileName(
      'Id of the trial that carried out all flows of its block: the same in every record of them.',
    ),
    flows: s.list(flowSchema, "The arm's own flows."),
    path: s.orNull(
      pathCountsSchema,
      'What went over the path in the whole trial, of the flows of all its arms together; null: not counted.',
    ),
    countedFromMs: s.orNull(
      s.number(
        'From when on bytes are counted, when the last flow of the trial has settled, since the first one was asked for, in ms.',
      ),
    ),
    countedMs: s.orNull(s.number('From then until the first flow ended, in ms.')),
    queue: s.orNull(
      s.object(
        {
          setBytes: s.count('How much may wait for the limited rate towards the client, in bytes.'),
          mostBytes: s.count('The most that waited at once, the packet being sent included.'),
          stepMs: s.list(
            s.number(''),
            'How long the last packet waited at most in each step of 100 ms since the first flow was asked for, in ms.',
          ),
        },
        "The bottleneck's queue towards the client.",
      ),
      "The bottleneck's queue towards the client; null: this backend does not tell.",
    ),
  },
  'What only the flows of an arm have.',
);

export type SharingDetails = s.Static<typeof sharingDetailsSchema>;
