import { reading } from './reading.ts';
import {
  count,
  flag,
  list,
  map,
  moment,
  name,
  number,
  object,
  oneOf,
  optional,
  orNull,
  type Static,
  text,
  typed,
} from './schema.ts';
import { type StackProperty, stackReadingsSchema } from './stack-readings.ts';

const bufferRangeSchema = object(
  {
    minimum: number('In bytes.'),
    initial: number('In bytes.'),
    maximum: number('In bytes.'),
  },
  'A buffer that the kernel sizes by itself.',
);

export type BufferRange = Static<typeof bufferRangeSchema>;

const bytes = number('In bytes.');

const endSchema = object(
  {
    tcpCongestionControl: reading(
      text(''),
      'Congestion control of a live TCP connection through the path.',
    ),
    tcpInitialWindowSegments: reading(
      number(''),
      'Its congestion window right after connecting, in segments.',
    ),
    tcpMssBytes: reading(bytes, 'Payload of its full segments, in bytes.'),
    pathMtuBytes: reading(bytes, "What it takes the path's MTU for, in bytes."),
    deviceMtuBytes: reading(bytes, "MTU of the path's device, in bytes."),
    segmentsPerPacket: reading(
      number(''),
      'More than 1: several segments may cross the path as one packet.',
    ),
    queueingDiscipline: reading(text(''), "Of the path's device."),
    offloads: reading(
      map(flag(''), ''),
      'Offloads of the device by their names in ethtool -k, with whether they are on.',
    ),
    tcpSlowStartAfterIdle: reading(
      flag(''),
      'Whether TCP starts again with a small window after a pause.',
    ),
    tcpSavesMetrics: reading(
      flag(''),
      'Whether TCP remembers what it learned from earlier connections.',
    ),
    tcpEcn: reading(count(''), '0: off; 1: asked for; 2: granted when the other side asks.'),
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
    ipv6: reading(flag(''), 'Whether it is on.'),
    routes: reading(
      list(text(''), ''),
      'Destinations that packets can be sent to: the other end, and nothing else.',
    ),
  },
  'One end of the path: its namespace, its device, and a TCP connection through the path opened to be read.',
);

/** What is read of each end. */
export const END_PROPERTIES = Object.keys(endSchema.properties);

/** One end of the path. */
export type EndManifest = Static<typeof endSchema>;

const comparedPropertySchema = object(
  {
    property: typed<StackProperty>(name('Name of the property.')),
    label: text('For tables.'),
    verdict: oneOf(['equal', 'differs', 'unknown'], 'unknown: at least one of them is not known.'),
    a: orNull(text('Of the one stack, as text with its unit; null: not known.')),
    b: orNull(text('Of the other one, as text with its unit; null: not known.')),
    difference: optional(
      text('What differs, in words; absent: the two values say it, or nothing differs.'),
    ),
    decides: flag('Whether it has to be equal for a like-for-like comparison.'),
    note: text('What a reader has to know; empty: nothing.'),
  },
  'One property of two stacks, side by side.',
);

export type ComparedProperty = Static<typeof comparedPropertySchema>;

export const stackPairSchema = object(
  {
    a: name('One stack.'),
    b: name('The other one.'),
    likeForLike: oneOf(
      ['yes', 'no', 'unknown'],
      'no: a condition differs; unknown: none is known to differ, but not all are known; yes: all are known and equal.',
    ),
    sentence: text('The same as a sentence that names what differs or is not known.'),
    properties: list(comparedPropertySchema, 'In the order of tables.'),
  },
  'How two stacks compare.',
);

export type StackPair = Static<typeof stackPairSchema>;

/**
 * What client and servers had to work with, read back from the system while the path stood, not copied from what was
 * asked for: a reader can judge whether protocols were compared, or buffers and congestion controllers.
 */
export const fairnessSchema = object(
  {
    readAt: moment('When it was read.'),
    client: endSchema,
    server: endSchema,
    stacks: map(
      map(reading(text(''), ''), "What the stack's server says of itself, by name."),
      "Stack to what its server says of itself. QUIC lives in the server's program, so nothing else can report its congestion control and windows.",
    ),
    readings: map(
      stackReadingsSchema,
      'Stack to what is known of it before the first attempt, in words that can be compared.',
    ),
    under: optional(
      map(
        map(stackReadingsSchema, ''),
        'The same readings under network conditions that say something of congestion control, initial window, receive buffer or MTU, by their names; absent: none does.',
      ),
    ),
    pairs: list(
      stackPairSchema,
      'Every stack compared with every later one in what is known before the first attempt.',
    ),
  },
  'What both ends of the path had to work with, read back from the system.',
);

export type FairnessManifest = Static<typeof fairnessSchema>;
