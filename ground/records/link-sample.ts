import * as s from './schema.ts';

const directionSchema = s.object(
  {
    packets: s.count('Packets that left the link in this time.'),
    bytes: s.count('Their bytes, with an Ethernet header of 14 for each packet.'),
    lost: s.count('Packets lost because the condition asks for loss.'),
    queueDrops: s.count('Packets dropped because the queue was full.'),
    busyMs: s.number(
      'How long of this time a packet was being sent at the limited rate, or waited for a recorded link to take it; 0 without a limit.',
    ),
    mostQueuedBytes: s.count(
      'The most that waited for its turn at once, the packet being sent included; 0 without a limit.',
    ),
    mostWaitMs: s.number(
      'The longest that a packet waited from coming to having been sent, in ms; 0 without a limit.',
    ),
    capacityBytes: s.number(
      'What the limit would have let through in this time; 0 without a limit.',
    ),
  },
  'One direction of the link.',
);

/** What the link between the ends carried for a load in a short time, of one length for all of a load. */
const linkSampleSchema = s.object(
  {
    atMs: s.number("When this time began, by the machine's monotonic clock, in ms."),
    forMs: s.number('How long it was, in ms.'),
    toServer: directionSchema,
    toClient: directionSchema,
  },
  'What the link carried in a short time, of the connections of the attempt.',
);

export type LinkSample = s.Static<typeof linkSampleSchema>;
