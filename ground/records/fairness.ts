import { reading } from './reading.ts';
import * as s from './schema.ts';
import { type StackProperty, stackReadingsSchema } from './stack-readings.ts';

const bufferRangeSchema = s.object(
  {
    minimum: s.number('In bytes.'),
    initial: s.number('In bytes.'),
    maximum: s.number('In bytes.'),
  },
  'A buffer that the kernel sizes by itself.',
);

export type BufferRange = s.Static<typeof bufferRangeSchema>;

const bytes = s.number('In bytes.');

const endSchema = s.object(
  {
    tcpCongestionControl: reading(
      s.text(''),
      'Congestion control of a live TCP connection through the path.',
    ),
    tcpInitialWindowSegments: reading(
      s.number(''),
      'Its congestion window after connecting, in segments.',
    ),
    tcpMssBytes: reading(bytes, 'Payload of its full segments, in bytes.'),
    pathMtuBytes: reading(bytes, "TCP's estimate of the path MTU, in bytes."),
    deviceMtuBytes: reading(bytes, "MTU of the path's device, in bytes."),
    segmentsPerPacket: reading(
      s.number(''),
      'Above 1: several segments may cross the path as one packet.',
    ),
    queueingDiscipline: reading(s.text(''), "Of the path's device."),
    offloads: reading(
      s.map(s.flag(''), ''),
      'Whether each offload of the device is on, by its name in ethtool -k.',
    ),
    tcpSlowStartAfterIdle: reading(
      s.flag(''),
      'Whether TCP restarts with a small window after idle time.',
    ),
    tcpSavesMetrics: reading(s.flag(''), 'Whether TCP reuses metrics of earlier connections.'),
    tcpEcn: reading(s.count(''), '0: off; 1: requested; 2: accepted when the peer requests it.'),
    tcpReceiveBufferBytes: reading(
      bufferRangeSchema,
      'Buffers that the kernel sizes by itself, in bytes.',
    ),
    tcpSendBufferBytes: reading(
      bufferRangeSchema,
      'Buffers that the kernel sizes by itself, in bytes.',
    ),
    udpReceiveBufferBytes: reading(bytes, 'Default of a socket, in bytes.'),
    udpSendBufferBytes: reading(bytes, 'Default of a socket, in bytes.'),
    udpReceiveBufferLimitBytes: reading(bytes, 'Maximum of a socket, in bytes.'),
    udpSendBufferLimitBytes: reading(bytes, 'Maximum of a socket, in bytes.'),
    ipv6: reading(s.flag(''), 'Whether IPv6 is on.'),
    routes: reading(s.list(s.text(''), ''), 'Destinations of packets: only the other end.'),
  },
  'One end of the path: its namespace, its device, and a TCP connection opened for inspection.',
);

export const END_PROPERTIES = Object.keys(endSchema.properties);

export type EndManifest = s.Static<typeof endSchema>;

const comparedPropertySchema = s.object(
  {
    property: s.withType<StackProperty>(s.name('Name of the property.')),
    label: s.text('For tables.'),
    verdict: s.oneOf(['equal', 'differs', 'unknown'], 'unknown: at least one value is unknown.'),
    a: s.orNull(s.text("Stack a's value as text with its unit; null: unknown.")),
    b: s.orNull(s.text("Stack b's value as text with its unit; null: unknown.")),
    difference: s.optional(
      s.text('The difference in words; absent: the values show it, or they are equal.'),
    ),
    decides: s.flag('Whether a like-for-like comparison needs equal values.'),
    note: s.text('Caveats; empty: none.'),
  },
  'One property of two stacks, side by side.',
);

export type ComparedProperty = s.Static<typeof comparedPropertySchema>;

export const stackPairSchema = s.object(
  {
    a: s.name('First stack.'),
    b: s.name('Second stack.'),
    likeForLike: s.oneOf(
      ['yes', 'no', 'unknown'],
      'no: a condition differs; unknown: no known condition differs, but some are unknown; yes: all are known and equal.',
    ),
    sentence: s.text('The result as a sentence that names different and unknown conditions.'),
    properties: s.list(comparedPropertySchema, 'In the order of tables.'),
  },
  'Comparison of two stacks.',
);

export type StackPair = s.Static<typeof stackPairSchema>;

/**
 * Configuration of client and servers, read from the system while the path exists, not copied from options. It
 * shows whether protocols were compared, or buffers and congestion controllers.
 */
export const fairnessSchema = s.object(
  {
    readAt: s.moment('When the values were read.'),
    client: endSchema,
    server: endSchema,
    stacks: s.map(
      s.map(reading(s.text(''), ''), "The server's own report, by name."),
      "Stack to its server's own report. QUIC runs in the server program, so only that can report its congestion control and windows.",
    ),
    readings: s.map(
      stackReadingsSchema,
      'Stack to its comparable properties before the first attempt.',
    ),
    under: s.optional(
      s.map(
        s.map(stackReadingsSchema, ''),
        'The same readings under network conditions that set congestion control, initial window, receive buffer or MTU, by name; absent: no such conditions.',
      ),
    ),
    pairs: s.list(
      stackPairSchema,
      'Each pair of stacks, compared by properties known before the first attempt.',
    ),
  },
  'Configuration of both ends of the path, read from the system.',
);

export type FairnessManifest = s.Static<typeof fairnessSchema>;
