import { calibratedSchemas, calibratedValues } from './dimensions.ts';
import { backendSchema, type NetworkCondition, udpSchema } from './network.ts';
import * as s from './schema.ts';

const spreadSchema = s.object(
  {
    count: s.count('How many were measured.'),
    minimum: s.anyNumber('In ms.'),
    p25: s.optional(s.anyNumber('In ms; three of four are not smaller. Older records lack it.')),
    median: s.anyNumber('In ms.'),
    p90: s.anyNumber('In ms; nine of ten are not larger.'),
    p99: s.optional(s.anyNumber('In ms; 99 of 100 are not larger. Older records lack it.')),
    maximum: s.anyNumber('In ms.'),
  },
  'A few numbers that describe many, in ms; quantiles of type 7. One-way times come from two clock readings and may have any sign.',
);

export type Spread = s.Static<typeof spreadSchema>;

const datagramsSchema = s.object(
  {
    sent: s.count('Datagrams sent.'),
    packets: s.count('Those that arrived.'),
    kbps: s.orNull(
      s.number(
        'Rate at which those came that were sent evenly, after as many as pass at once, in kbit/s; null: too few to say.',
      ),
    ),
    offeredKbps: s.number('Rate at which they were sent.'),
  },
  'Datagrams of one direction, half as many again as a rate of theirs lets through.',
);

const treatmentSchema = s.object(
  {
    ...udpSchema.properties,
    toServer: datagramsSchema,
    toClient: datagramsSchema,
    refusal: s.orNull(
      s.name(
        'What the sender of a datagram towards the servers was told, as the kernel names it; null: nothing. EHOSTUNREACH is what it makes of ICMP "administratively prohibited".',
      ),
    ),
    tcpKbps: s.orNull(
      s.number(
        'Rate in kbit/s at which bytes came over TCP that would have taken much longer at the rate of UDP; null: not measured.',
      ),
    ),
  },
  'What the path was asked to do to UDP alone, and what it was seen to do. All else in this record was measured without it.',
);

const measured = {
  measuredAt: s.moment('When the path was measured.'),
  asked: s.object(
    { condition: s.fileName("The network's name."), ...calibratedSchemas },
    "The condition's name and its numbers.",
  ),
  backend: backendSchema,
  linkPriority: s.orNull(
    s.oneOf(
      ['fifo', 'eevdf', 'none'],
      'Scheduling of the user-space link: real-time, a short time slice, or neither; null: the kernel is the link.',
    ),
  ),
  isSeeded: s.optional(
    s.orNull(
      s.flag(
        "Whether losses and jitter begin anew with the attempt's seed, so that the arms of a block meet the same; netem before Linux 6.6 takes no seed. null: nothing is left to chance. Older records lack it.",
      ),
    ),
  ),
  udpRttMs: s.withDescription(
    spreadSchema,
    "Round trips of single packets that were not lost; the path's own time is in them.",
  ),
  tcpRttMs: s.withDescription(
    spreadSchema,
    'Round trips of small messages on one TCP connection; a lost packet makes one of them long.',
  ),
  tcpConnectMs: s.withDescription(spreadSchema, 'From connect() to its end: one round trip.'),
  toServerMs: s.withDescription(spreadSchema, 'One way, client to server.'),
  toClientMs: s.withDescription(spreadSchema, 'One way, server to client.'),
  udpProbes: s.count('Packets sent.'),
  udpProbesLost: s.count('Packets that did not come back; others were sent in their place.'),
  downKbps: s.orNull(
    s.number(
      'Achieved towards the client, in kbit/s of packets with their Ethernet header; null: no limit asked, not measured.',
    ),
  ),
  upKbps: s.orNull(s.number('The same towards the servers.')),
  downOfferedKbps: s.orNull(
    s.number(
      'What was sent to measure downKbps, in kbit/s: more than fits, when the machine can send so much.',
    ),
  ),
  upOfferedKbps: s.orNull(s.number('What was sent to measure upKbps, in kbit/s.')),
  downPausedPercent: s.optional(
    s.orNull(
      s.percent(
        'Share of the time of measuring downKbps that went by in pauses between packets; null: not measured. Older records lack it.',
      ),
    ),
  ),
  upPausedPercent: s.optional(s.orNull(s.percent('The same of upKbps.'))),
  udp: s.optional(
    s.orNull(
      treatmentSchema,
      'What the path was asked to do to UDP alone, and what it was seen to do; all else in this record was measured without it. null: nothing was asked. Older records lack it.',
    ),
  ),
  loadAverage1m: s.number('Load average over one minute, right after measuring.'),
  cores: s.count('Cores of the machine.'),
  late: s.optional(
    s.orNull(
      s.text(
        'By what the machine was seen to be late while the path was measured, as a sentence; null: it was not. Older records lack it.',
      ),
    ),
  ),
};

const measuredSchema = s.object(measured, 'What the path was asked to be and was found to be.');

/** What the path was asked to be and what it was found to be, measured before a group of blocks. */
export type Calibration = s.Static<typeof measuredSchema>;

/** What a calibration says of its condition. */
export function calibratedConditionOf(network: NetworkCondition): Calibration['asked'] {
  return { condition: network.name, ...calibratedValues(network) };
}

/** One line of calibrations.jsonl: the path as it was before a round's attempts at a subject under a condition. */
export const calibrationSchema = s.object(
  { subject: s.fileName('Whose attempts came next.'), ...measured },
  "The path as it was before a round's attempts over a network condition. The format's version is the one in run.json.",
);

export type CalibrationRecord = s.Static<typeof calibrationSchema>;
