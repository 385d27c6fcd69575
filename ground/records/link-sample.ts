import * as s from './schema.ts';

const directionSchema = s.object(
  {
    packets: s.count('Packets that left the link in this interval.'),
    bytes: s.count('Their bytes, with 14 bytes of Ethernet header each.'),
    lost: s.count('Packets lost on purpose.'),
    queueDrops: s.count('Packets dropped because the queue was full.'),
    busyMs: s.number(
      'Time in which a packet was being sent at the limited rate or waited for a recorded link; 0 without a limit.',
    ),
    mostQueuedBytes: s.count(
      'Maximum size of the queue, including the packet being sent; 0 without a limit.',
    ),
    mostWaitMs: s.number(
      'Longest time from arrival of a packet to the end of its sending, in ms; 0 without a limit.',
    ),
    capacityBytes: s.number('Capacity of the limited rate in this interval; 0 without a limit.'),
  },
  'One direction of the link.',
);

/** All intervals of a load have the same length. */
const linkSampleSchema = s.object(
  {
    atMs: s.number("Start of the interval by the machine's monotonic clock, in ms."),
    forMs: s.number('Length of the interval, in ms.'),
    toServer: directionSchema,
    toClient: directionSchema,
  },
  "Traffic of the attempt's connections over the link in a short interval.",
);

export type LinkSample = s.Static<typeof linkSampleSchema>;
