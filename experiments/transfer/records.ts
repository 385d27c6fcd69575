import { DIRECTIONS } from '../../clients/transfer-client.ts';
import * as s from '../../ground/records/schema.ts';
import { profileSchema } from './profiles/profile.ts';

/** Maximum of concurrent requests. */
export const MOST_STREAMS = 100;

/** A number of streams as a value of the factor. */
export function streamsName(streams: number): string {
  return streams === 1 ? '1-stream' : `${streams}-streams`;
}

/** Limits of transfers, in the order of tables. */
export const LIMITS = [
  'round trips',
  'congestion window',
  'receive window',
  'stream window',
  'processor',
  'link',
  'loss',
  'server',
] as const;

export type Limit = (typeof LIMITS)[number];

const stepSchema = s.object(
  {
    atMs: s.number('End of this step, in ms since the request for the transfer.'),
    bytes: s.count(
      'Bytes of bodies received by then; for an upload, bytes that the client had written.',
    ),
    cwndBytes: s.orNull(s.number("The sender's congestion window in bytes; null: not reported.")),
    inFlightBytes: s.orNull(s.number('Bytes sent and not acknowledged; null: not reported.')),
    rttMs: s.orNull(s.number("The sender's smoothed round-trip time in ms; null: not reported.")),
    queueMs: s.orNull(
      s.number(
        'Maximum queueing delay of a packet at the limited rate, in ms; null: not reported by this backend.',
      ),
    ),
    clientCpuPercent: s.orNull(s.number('Of one core, in this step; null: unknown.')),
    serverCpuPercent: s.orNull(s.number('Of one core, in this step; null: unknown.')),
  },
  'A step of a transfer, usually of 100 ms.',
);

export type TransferStep = s.Static<typeof stepSchema>;

/** How packets on the path can be read. */
const PACKET_SOURCES = ['with keys', 'without keys'] as const;

export type PacketSource = (typeof PACKET_SOURCES)[number];

const limitedBySchema = s.object(
  {
    limit: s.orNull(s.oneOf(LIMITS, 'Main limit of the transfer; null: unknown.')),
    because: s.text('Sentence with the observations behind it.'),
    packets: s.optional(
      s.oneOf(
        PACKET_SOURCES,
        "The packets on the path from which the sender's state was derived. Absent: the sender reported it, or it is unknown.",
      ),
    ),
    observed: s.map(
      s.orNull(s.anyNumber('')),
      'Numbers behind it, with their units in the names; null: not observed.',
    ),
  },
  'Main limit of a transfer, from observations alone.',
);

export type LimitedBy = s.Static<typeof limitedBySchema>;

export const transferDetailsSchema = s.object(
  {
    direction: s.oneOf(DIRECTIONS, 'Direction of the bodies, from the client’s view.'),
    bytes: s.count('Bytes of all bodies together.'),
    streams: s.count('Concurrent requests, each for an equal part of the bytes.', {
      minimum: 1,
    }),
    client: s.name('The client: a folder of clients/.'),
    connections: s.orNull(s.count('Connections that the client used; null: not observed.')),
    bodyBytes: s.orNull(s.count('Bytes of bodies that arrived; null: not reported by the client.')),
    serverReceivedBytes: s.orNull(
      s.count(
        'Bytes of bodies that the server read in an upload; null: a download, or not reported.',
      ),
    ),
    series: s.list(stepSchema, 'Progress in steps of 100 ms.'),
    limitedBy: s.orNull(limitedBySchema, 'null: the transfer failed or never began.'),
    limitInRepetition: s.optional(
      s.withDescription(
        limitedBySchema,
        'Main limit of an uncounted repetition, from its packets (--explain). Absent: not requested, the counted transfer has a limit, or another transfer of its kind has it.',
      ),
    ),
    explains: s.optional(
      s.object(
        {
          relaxed: s.oneOf(LIMITS, 'The relaxed limit.'),
          how: s.text('How it was relaxed, as a clause: a stream window of 512 kB.'),
          unchangedMs: s.list(
            s.number(''),
            'Total times of unchanged repetitions, in ms; empty: the limit cannot be relaxed, and `how` says why.',
          ),
          relaxedMs: s.list(
            s.number(''),
            'Total times of repetitions with the limit relaxed, alternating with the unchanged ones, in ms.',
          ),
          helped: s.flag('Whether every relaxed repetition was faster than every unchanged one.'),
          limitAfter: s.orNull(
            s.oneOf(LIMITS, 'Main limit of the relaxed repetitions; null: unknown.'),
          ),
        },
        'Uncounted repetitions of this transfer with its limit relaxed (--explain); absent: not requested, or another transfer of its kind has them.',
      ),
    ),
    profiles: s.optional(
      s.list(
        profileSchema,
        'Profiles of further transfers like this one (--profile); absent: not made.',
      ),
    ),
    error: s.orNull(s.text('Error of the client; null: the transfer completed.')),
  },
  'Details of a transfer.',
);

export type TransferDetails = s.Static<typeof transferDetailsSchema>;
