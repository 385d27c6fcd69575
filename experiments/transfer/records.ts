import { DIRECTIONS } from '../../clients/transferrer.ts';
import {
  anyNumber,
  count,
  flag,
  list,
  map,
  name,
  number,
  object,
  oneOf,
  optional,
  orNull,
  type Static,
  text,
} from '../../ground/records/schema.ts';
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

const stepSchema = object(
  {
    atMs: number('When this step ended, since the transfer was asked for, in ms.'),
    bytes: count(
      'Bytes of bodies that its receiver had by then; of an upload, that its client had handed over.',
    ),
    cwndBytes: orNull(number("The sender's congestion window in bytes; null: nobody told.")),
    inFlightBytes: orNull(number('Bytes sent and not acknowledged; null: nobody told.')),
    rttMs: orNull(number("The sender's smoothed round-trip time in ms; null: nobody told.")),
    queueMs: orNull(
      number(
        'The longest that a packet waited for its turn at the limited rate, in ms; null: this backend does not tell.',
      ),
    ),
    clientCpuPercent: orNull(number('Of one core, in this step; null: not known.')),
    serverCpuPercent: orNull(number('Of one core, in this step; null: not known.')),
  },
  'A step of a transfer, usually of 100 ms.',
);

/** A step of a transfer's series. */
export type TransferStep = Static<typeof stepSchema>;

const limitedBySchema = object(
  {
    limit: orNull(oneOf(LIMITS, 'What held it up most; null: the observations do not tell.')),
    because: text('The observations that say so, as a sentence.'),
    observed: map(
      orNull(anyNumber('')),
      'The numbers that it was told from, with their units in the names; null: not observed.',
    ),
  },
  'What held a transfer up, told from observations alone.',
);

export type LimitedBy = Static<typeof limitedBySchema>;

/** What only transfers have. */
export const transferDetailsSchema = object(
  {
    direction: oneOf(DIRECTIONS, 'Which way the bodies went, as the client sees it.'),
    bytes: count('Bytes of all bodies together.'),
    streams: count('How many requests there were at once, each for an equal part of the bytes.', {
      minimum: 1,
    }),
    client: name('The client: a folder of clients/.'),
    connections: orNull(count('Connections that the client used; null: not observed.')),
    bodyBytes: orNull(count('Bytes of bodies that arrived; null: the client did not tell.')),
    serverReceivedBytes: orNull(
      count(
        'Of an upload: bytes of bodies that the server says it read; null: a download, or it did not tell.',
      ),
    ),
    series: list(stepSchema, 'What happened when, in steps of 100 ms.'),
    limitedBy: orNull(limitedBySchema, 'null: it was not ok, or never begun.'),
    explains: optional(
      object(
        {
          raised: oneOf(LIMITS, 'Which limit was raised.'),
          how: text('How, as a clause: a stream window of 512 kB.'),
          asItWasMs: list(
            number(''),
            'Total times of repetitions with nothing changed, in ms; empty: the limit cannot be raised here, and `how` says why.',
          ),
          raisedMs: list(
            number(''),
            'Total times of repetitions with the limit raised, in turns with them, in ms.',
          ),
          helped: flag('Whether every raised one was faster than every one with nothing changed.'),
          limitThen: orNull(
            oneOf(LIMITS, 'What held the raised ones up; null: it could not be told.'),
          ),
        },
        'Repetitions of this transfer that count for nothing else, with its limit raised (--explain); absent: they were not asked for, or another one of its kind has them.',
      ),
    ),
    profiles: optional(
      list(
        profileSchema,
        'What more transfers like this one told (--profile); absent: none were made.',
      ),
    ),
    error: orNull(text('Why it came to no end, as the client says; null: it did.')),
  },
  'What only transfers have.',
);

export type TransferDetails = Static<typeof transferDetailsSchema>;
