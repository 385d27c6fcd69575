import { DIRECTIONS } from '../../clients/transfer-client.ts';
import * as s from '../../ground/records/schema.ts';
import { profileSchema } from './profiles/profile.ts';

/** The most requests at once. */
export const MOST_STREAMS = 100;

/** A number of streams as a value of the factor. */
export function streamsName(streams: number): string {
  return streams === 1 ? '1-stream' : `${streams}-streams`;
}

/** What can hold a transfer up, in the order of the tables. */
export const LIMITS = [
  'round trips',
  'congestion window',
  'receive window',
  'stream window',
  'processor',
  'link',
  'loss',
] as const;

export type Limit = (typeof LIMITS)[number];

const stepSchema = s.object(
  {
    atMs: s.number('When this step ended, since the transfer was asked for, in ms.'),
    bytes: s.count(
      'Bytes of bodies that its receiver had by then; of an upload, that its client had handed over.',
    ),
    cwndBytes: s.orNull(s.number("The sender's congestion window in bytes; null: nobody told.")),
    inFlightBytes: s.orNull(s.number('Bytes sent and not acknowledged; null: nobody told.')),
    rttMs: s.orNull(s.number("The sender's smoothed round-trip time in ms; null: nobody told.")),
    queueMs: s.orNull(
      s.number(
        'The longest that a packet waited for its turn at the limited rate, in ms; null: this backend does not tell.',
      ),
    ),
    clientCpuPercent: s.orNull(s.number('Of one core, in this step; null: not known.')),
    serverCpuPercent: s.orNull(s.number('Of one core, in this step; null: not known.')),
  },
  'A step of a transfer, usually of 100 ms.',
);

/** A step of a transfer's series. */
export type TransferStep = s.Static<typeof stepSchema>;

const limitedBySchema = s.object(
  {
    limit: s.orNull(s.oneOf(LIMITS, 'What held it up most; null: the observations do not tell.')),
    because: s.text('The observations that say so, as a sentence.'),
    observed: s.map(
      s.orNull(s.anyNumber('')),
      'The numbers that it was told from, with their units in the names; null: not observed.',
    ),
  },
  'What held a transfer up, told from observations alone.',
);

export type LimitedBy = s.Static<typeof limitedBySchema>;

/** What only transfers have. */
export const transferDetailsSchema = s.object(
  {
    direction: s.oneOf(DIRECTIONS, 'Which way the bodies went, as the client sees it.'),
    bytes: s.count('Bytes of all bodies together.'),
    streams: s.count('How many requests there were at once, each for an equal part of the bytes.', {
      minimum: 1,
    }),
    client: s.name('The client: a folder of clients/.'),
    connections: s.orNull(s.count('Connections that the client used; null: not observed.')),
    bodyBytes: s.orNull(s.count('Bytes of bodies that arrived; null: the client did not tell.')),
    serverReceivedBytes: s.orNull(
      s.count(
        'Of an upload: bytes of bodies that the server says it read; null: a download, or it did not tell.',
      ),
    ),
    series: s.list(stepSchema, 'What happened when, in steps of 100 ms.'),
    limitedBy: s.orNull(limitedBySchema, 'null: it was not ok, or never begun.'),
    explains: s.optional(
      s.object(
        {
          raised: s.oneOf(LIMITS, 'Which limit was raised.'),
          how: s.text('How, as a clause: a stream window of 512 kB.'),
          asItWasMs: s.list(
            s.number(''),
            'Total times of repetitions with nothing changed, in ms; empty: the limit cannot be raised here, and `how` says why.',
          ),
          raisedMs: s.list(
            s.number(''),
            'Total times of repetitions with the limit raised, in turns with them, in ms.',
          ),
          helped: s.flag(
            'Whether every raised one was faster than every one with nothing changed.',
          ),
          limitThen: s.orNull(
            s.oneOf(LIMITS, 'What held the raised ones up; null: it could not be told.'),
          ),
        },
        'Repetitions of this transfer that count for nothing else, with its limit raised (--explain); absent: they were not asked for, or another one of its kind has them.',
      ),
    ),
    profiles: s.optional(
      s.list(
        profileSchema,
        'What more transfers like this one told (--profile); absent: none were made.',
      ),
    ),
    error: s.orNull(s.text('Why it came to no end, as the client says; null: it did.')),
  },
  'What only transfers have.',
);

export type TransferDetails = s.Static<typeof transferDetailsSchema>;
