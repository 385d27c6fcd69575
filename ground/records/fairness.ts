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
      'Its congestion window right after connecting, in segments.',
    ),
    tcpMssBytes: reading(bytes, 'Payload of its full segments, in bytes.'),
    pathMtuBytes: reading(bytes, "What it takes the path's MTU for, in bytes."),
    deviceMtuBytes: reading(bytes, "MTU of the path's device, in bytes."),
    segmentsPerPacket: reading(
      s.number(''),
      'More than 1: several segments may cross the path as one packet.',
    ),
    queueingDiscipline: reading(s.text(''), "Of the path's device."),
    offloads: reading(
      s.map(s.flag(''), ''),
      'Offloads of the device by their names in ethtool -k, with whether they are on.',
    ),
    tcpSlowStartAfterIdle: reading(
      s.flag(''),
      'Whether TCP starts again with a small window after a pause.',
    ),
    tcpSavesMetrics: reading(
      s.flag(''),
      'Whether TCP remembers what it learned from earlier connections.',
    ),
    tcpEcn: reading(s.count(''), '0: off; 1: asked for; 2: granted when the other side asks.'),
    tcpReceiveBufferBytes: reading(
      bufferRangeSchema,
      'Buffers that the kernel sizes by itself, in bytes.',
    ),
    tcpSendBufferBytes: reading(
      bufferRangeSchema,
      'Buffers that the kernel sizes by itself, in bytes.',
    ),
    udpReceiveBufferBytes: reading(bytes, 'Of a socket that asks for nothing, in bytes.'),
    udpSendBufferBytes: reading(bytes, 'Of a socket that asks for nothing, in bytes.'),
    udpReceiveBufferLimitBytes: reading(bytes, 'What a socket can ask for, in bytes.'),
    udpSendBufferLimitBytes: reading(bytes, 'What a socket can ask for, in bytes.'),
    ipv6: reading(s.flag(''), 'Whether it is on.'),
    routes: reading(
      s.list(s.text(''), ''),
      'Destinations that packets can be sent to: the other end, and nothing else.',
    ),
  },
  'One end of the path: its namespace, its device, and a TCP connection through the path opened to be read.',
);

/** What is read of each end. */
export const END_PROPERTIES = Object.keys(endSchema.properties);

/** One end of the path. */
export type EndManifest = s.Static<typeof endSchema>;

const comparedPropertySchema = s.object(
  {
    property: s.withType<StackProperty>(s.name('Name of the property.')),
    label: s.text('For tables.'),
    verdict: s.oneOf(
      ['equal', 'differs', 'unknown'],
      'unknown: at least one of them is not known.',
    ),
    a: s.orNull(s.text('Of the one stack, as text with its unit; null: not known.')),
    b: s.orNull(s.text('Of the other one, as text with its unit; null: not known.')),
    difference: s.optional(
      s.text('What differs, in words; absent: the two values say it, or nothing differs.'),
    ),
    decides: s.flag('Whether it has to be equal for a like-for-like comparison.'),
    note: s.text('What a reader has to know; empty: nothing.'),
  },
  'One property of two stacks, side by side.',
);

export type ComparedProperty = s.Static<typeof comparedPropertySchema>;

export const stackPairSchema = s.object(
  {
    a: s.name('One stack.'),
    b: s.name('The other one.'),
    likeForLike: s.oneOf(
      ['yes', 'no', 'unknown'],
      'no: a condition differs; unknown: none is known to differ, but not all are known; yes: all are known and equal.',
    ),
    sentence: s.text('The same as a sentence that names what differs or is not known.'),
    properties: s.list(comparedPropertySchema, 'In the order of tables.'),
  },
  'How two stacks compare.',
);

export type StackPair = s.Static<typeof stackPairSchema>;

/**
 * What client and servers had to work with, read back from the system while the path stood, not copied from what was
 * asked for: a reader can judge whether protocols were compared, or buffers and congestion controllers.
 */
export const fairnessSchema = s.object(
  {
    readAt: s.moment('When it was read.'),
    client: endSchema,
    server: endSchema,
    stacks: s.map(
      s.map(reading(s.text(''), ''), "What the stack's server says of itself, by name."),
      "Stack to what its server says of itself. QUIC lives in the server's program, so nothing else can report its congestion control and windows.",
    ),
    readings: s.map(
      stackReadingsSchema,
      'Stack to what is known of it before the first attempt, in words that can be compared.',
    ),
    under: s.optional(
      s.map(
        s.map(stackReadingsSchema, ''),
        'The same readings under network conditions that say something of congestion control, initial window, receive buffer or MTU, by their names; absent: none does.',
      ),
    ),
    pairs: s.list(
      stackPairSchema,
      'Every stack compared with every later one in what is known before the first attempt.',
    ),
  },
  'What both ends of the path had to work with, read back from the system.',
);

export type FairnessManifest = s.Static<typeof fairnessSchema>;
