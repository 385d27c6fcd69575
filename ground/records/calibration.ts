import { calibratedSchemas, calibratedValues } from './dimensions.ts';
import { backendSchema, type NetworkCondition, udpSchema } from './network.ts';
import * as s from './schema.ts';

const spreadSchema = s.object(
  {
    count: s.count('Number of values.'),
    minimum: s.anyNumber('In ms.'),
    p25: s.optional(s.anyNumber('25th percentile in ms. Older records lack it.')),
    median: s.anyNumber('In ms.'),
    p90: s.anyNumber('90th percentile in ms.'),
    p99: s.optional(s.anyNumber('99th percentile in ms. Older records lack it.')),
    maximum: s.anyNumber('In ms.'),
  },
  'Distribution of times in ms; quantiles of type 7. One-way times come from two clock readings and may be negative.',
);

export type Spread = s.Static<typeof spreadSchema>;

const datagramsSchema = s.object(
  {
    sent: s.count('Datagrams sent.'),
    packets: s.count('Datagrams that arrived.'),
    kbps: s.orNull(
      s.number(
        'Rate at which evenly sent datagrams arrived, after the initial burst that passes at once, in kbit/s; null: too few datagrams.',
      ),
    ),
    offeredKbps: s.number('Rate at which they were sent, in kbit/s.'),
  },
  'Datagrams of one direction, sent at 1.5 times the rate limit of UDP.',
);

const treatmentSchema = s.object(
  {
    ...udpSchema.properties,
    toServer: datagramsSchema,
    toClient: datagramsSchema,
    refusal: s.orNull(
      s.name(
        'Error of sending a datagram towards the servers, by the kernel’s name; null: no error. ICMP "administratively prohibited" becomes EHOSTUNREACH.',
      ),
    ),
    tcpKbps: s.orNull(
      s.number(
        'Achieved rate of TCP in kbit/s, for data that would take much longer at the rate of UDP; null: not measured.',
      ),
    ),
  },
  'Requested and observed treatment of UDP. All other fields of this record were measured without it.',
);

const measured = {
  measuredAt: s.moment('When the path was measured.'),
  asked: s.object(
    { condition: s.fileName("The network's name."), ...calibratedSchemas },
    'The requested condition.',
  ),
  backend: backendSchema,
  linkPriority: s.orNull(
    s.oneOf(
      ['fifo', 'eevdf', 'none'],
      'Scheduling of the user-space link: real-time, a short time slice, or neither; null: the path is in the kernel.',
    ),
  ),
  isSeeded: s.optional(
    s.orNull(
      s.flag(
        "Whether the attempt's seed determines losses and jitter, so that all arms of a block get the same; netem before Linux 6.6 takes no seed. null: nothing is random. Older records lack it.",
      ),
    ),
  ),
  udpRttMs: s.withDescription(
    spreadSchema,
    'Round trips of single packets that were not lost, including the latency of the path itself.',
  ),
  tcpRttMs: s.withDescription(
    spreadSchema,
    'Round trips of small messages on one TCP connection; a lost packet prolongs one of them.',
  ),
  tcpConnectMs: s.withDescription(spreadSchema, 'Duration of connect(): one round trip.'),
  toServerMs: s.withDescription(spreadSchema, 'One way, client to server.'),
  toClientMs: s.withDescription(spreadSchema, 'One way, server to client.'),
  udpProbes: s.count('Packets sent.'),
  udpProbesLost: s.count('Packets that did not return; each was replaced by another one.'),
  downKbps: s.orNull(
    s.number(
      'Achieved rate towards the client, in kbit/s with Ethernet headers; null: no limit requested, not measured.',
    ),
  ),
  upKbps: s.orNull(s.number('Achieved rate towards the servers, likewise.')),
  downOfferedKbps: s.orNull(
    s.number(
      'Rate offered to measure downKbps, in kbit/s: above the limit, where the machine can send as much.',
    ),
  ),
  upOfferedKbps: s.orNull(s.number('Rate offered to measure upKbps, in kbit/s.')),
  downPausedPercent: s.optional(
    s.orNull(
      s.percent(
        'Share of the measurement of downKbps spent in pauses between packets; null: not measured. Older records lack it.',
      ),
    ),
  ),
  upPausedPercent: s.optional(s.orNull(s.percent('Likewise for upKbps.'))),
  udp: s.optional(
    s.orNull(
      treatmentSchema,
      'Requested and observed treatment of UDP; all other fields of this record were measured without it. null: none requested. Older records lack it.',
    ),
  ),
  loadAverage1m: s.number('Load average over one minute, right after measuring.'),
  cores: s.count('Cores of the machine.'),
  late: s.optional(
    s.orNull(
      s.text(
        'How late the machine was while the path was measured, as a sentence; null: not late. Older records lack it.',
      ),
    ),
  ),
};

const measuredSchema = s.object(measured, 'The requested and the measured path.');

/** Requested and measured path, before a group of blocks. */
export type Calibration = s.Static<typeof measuredSchema>;

/** A calibration's record of its condition. */
export function calibratedConditionOf(network: NetworkCondition): Calibration['asked'] {
  return { condition: network.name, ...calibratedValues(network) };
}

/** One line of calibrations.jsonl. */
export const calibrationSchema = s.object(
  { subject: s.fileName('Subject of the attempts that followed.'), ...measured },
  "The path before a round's attempts over a network condition. run.json has the version of the format.",
);

export type CalibrationRecord = s.Static<typeof calibrationSchema>;
