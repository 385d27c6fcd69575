import { BOUNDS, within, withinMs } from '../../ground/records/ranges.ts';
import {
  count,
  flag,
  list,
  name,
  number,
  object,
  oneOf,
  optional,
  orNull,
  type Static,
  text,
} from '../../ground/records/schema.ts';

/** The players, as values of the factor; words of --player, names for readers. */
export const PLAYERS = {
  dashjs: { word: 'dash.js', label: 'dash.js' },
  shaka: { word: 'shaka', label: 'Shaka Player' },
} as const satisfies Record<string, { word: string; label: string }>;

export type PlayerName = keyof typeof PLAYERS;

const videoChoicesSchema = object(
  {
    watchedMs: number(
      'How long a video is watched, or to its end if that is earlier, in ms.',
      withinMs(BOUNDS.watchedS),
    ),
    bufferMs: orNull(
      number(
        'How much the player is to buffer ahead, in ms; null: what it does by itself.',
        withinMs(BOUNDS.bufferS),
      ),
    ),
    adapts: flag('Whether the player chooses its rung by what the network gives.'),
    bitrateKbps: orNull(
      number(
        'The rate of the rung that is played where the player does not adapt, or begins with where it does, in kbit/s: the highest rung that is not above it; null: the lowest, or what the player begins with.',
        within(BOUNDS.bitrateKbps),
      ),
    ),
  },
  'What only videos have; absent in other experiments, and before format 5.9.',
);

/** Its part of the choices of run.json. */
export const VIDEO_CHOICES = { name: 'videos', schema: videoChoicesSchema };

/** What holds for all sessions of a run. */
export type VideoChoices = Static<typeof videoChoicesSchema>;

/** Length of the steps of the buffer's series. */
export const BUFFER_STEP_MS = 250;

/** Who tells what a session was like. */
export const TELLERS = ['element', 'player', 'model'] as const;

export type Teller = (typeof TELLERS)[number];

const stallSchema = object(
  {
    atMs: number('When it began, since the player was told to play, in ms.'),
    durationMs: number('How long it took, in ms; of the last, until watching ended.'),
    ended: flag('Whether playing went on.'),
  },
  'A time in which nothing could be played for want of data, after playing had begun.',
);

export type Stall = Static<typeof stallSchema>;

/** @param atMs what `atMs` is */
function switchSchema(atMs: string, about: string) {
  return object(
    {
      atMs: number(atMs),
      fromKbps: number('The rate before, in kbit/s.'),
      toKbps: number('The rate from then on, in kbit/s.'),
    },
    about,
  );
}

const toldSchema = object(
  {
    by: oneOf(
      TELLERS,
      "element: the browser's <video> element by its events; player: the player's own statistics; model: computed from when the segments had arrived.",
    ),
    startupMs: orNull(
      number('From telling the player to play until playing began, in ms; null: it never did.'),
    ),
    stalls: list(stallSchema, 'In their order.'),
    meanBitrateKbps: orNull(
      number('Mean rate of the rungs that were played, by how long, in kbit/s; null: not told.'),
    ),
    bitrateUntold: optional(
      text('Why no mean bitrate is told; absent: one is, or before format 5.10.'),
    ),
    switches: optional(
      list(
        switchSchema(
          'When it was first played, since the player was told to play, in ms.',
          'A change of the rung of the picture that was played.',
        ),
        'In their order; absent: no bitrate is told, or before format 5.10.',
      ),
    ),
  },
  'How one of three tells the session.',
);

export type Told = Static<typeof toldSchema>;

const askedSchema = object(
  {
    kind: oneOf(['manifest', 'init', 'video', 'audio', 'other'], 'What was asked for.'),
    url: text('Its address.'),
    protocol: orNull(text('How it was answered: h3, h2, http/1.1; null: it was not.')),
    connectMs: orNull(
      number(
        'How long the connection took to set up that was opened for it, in ms; null: none was, or it was not answered.',
      ),
    ),
    rung: orNull(name('Id of the rung; null: it is of none.')),
    mime: orNull(text("The rung's container, as video/webm; null: it is of none.")),
    kbps: orNull(number("The rung's rate in kbit/s; null: it is of none.")),
    fromMs: orNull(number('Where in the video it begins, in ms; null: nowhere.')),
    durationMs: orNull(number('How much of the video it has, in ms; null: nothing.')),
    askedMs: number('When it was asked for, since the player was told to play, in ms.'),
    firstByteMs: orNull(number('When its first byte came, in ms; null: none did.')),
    endMs: orNull(number('When its last byte came, in ms; null: it never did.')),
    bytes: count('Bytes of its body that came.'),
    failed: orNull(text('Why it came to no end; null: it did, or watching ended before.')),
  },
  'A request of the player.',
);

export type AskedPiece = Static<typeof askedSchema>;

/** What only sessions of a video have. */
export const videoDetailsSchema = object(
  {
    player: object(
      { name: name('The player: a value of the factor.'), version: text('Its version.') },
      'What played.',
    ),
    watchedMs: number('How long it was watched, in ms.'),
    playedMs: number('How much of the video was played, in ms.'),
    told: list(toldSchema, 'The session as three tell it, the element first.'),
    switches: list(
      switchSchema(
        'When a segment of another rung was first asked for, in ms.',
        'A change of the rung of the picture.',
      ),
      'In their order.',
    ),
    asked: list(askedSchema, 'Every request of the player, in the order of asking.'),
    bufferStepMs: list(
      number(''),
      'How far ahead the video was buffered, at the end of each step of 250 ms since the player was told to play, in ms.',
    ),
    frames: orNull(
      object(
        { shown: count('That were shown.'), dropped: count('That came too late to be shown.') },
        'Frames of the picture.',
      ),
      'Frames of the picture; null: there never was one.',
    ),
  },
  'What only sessions of a video have.',
);

export type VideoDetails = Static<typeof videoDetailsSchema>;
