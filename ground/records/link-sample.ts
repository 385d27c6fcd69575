import { count, number, object, type Static } from './schema.ts';

const directionSchema = object(
  {
    packets: count('Packets that left the link in this time.'),
    bytes: count('Their bytes, with an Ethernet header of 14 for each packet.'),
    lost: count('Packets lost because the condition asks for loss.'),
    queueDrops: count('Packets dropped because the queue was full.'),
    busyMs: number(
      'How long of this time a packet was being sent at the limited rate, or waited for a recorded link to take it; 0 without a limit.',
    ),
    mostQueuedBytes: count(
      'The most that waited for its turn at once, the packet being sent included; 0 without a limit.',
    ),
    mostWaitMs: number(
      'The longest that a packet waited from coming to having been sent, in ms; 0 without a limit.',
    ),
    capacityBytes: number('What the limit would have let through in this time; 0 without a limit.'),
  },
  'One direction of the link.',
);

/** What the link between the ends carried for a load in a short time, of one length for all of a load. */
const linkSampleSchema = object(
  {
    atMs: number("When this time began, by the machine's monotonic clock, in ms."),
    forMs: number('How long it was, in ms.'),
    toServer: directionSchema,
    toClient: directionSchema,
  },
  'What the link carried in a short time, of the connections of the attempt.',
);

export type LinkSample = Static<typeof linkSampleSchema>;
