import { BOUNDS, within, withinMs } from '../../ground/records/ranges.ts';
import * as s from '../../ground/records/schema.ts';

const videoChoicesSchema = s.object(
  {
    watchedMs: s.number(
      'How long a video is watched, or to its end if that is earlier, in ms.',
      withinMs(BOUNDS.watchedS),
    ),
    bufferMs: s.orNull(
      s.number(
        'How much the player is to buffer ahead, in ms; null: what it does by itself.',
        withinMs(BOUNDS.bufferS),
      ),
    ),
    adapts: s.flag('Whether the player chooses its rung by what the network gives.'),
    bitrateKbps: s.orNull(
      s.number(
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
export type VideoChoices = s.Static<typeof videoChoicesSchema>;

/** Length of the steps of the buffer's series. */
export const BUFFER_STEP_MS = 250;

/** Who tells what a session was like. */
export const SOURCES = ['element', 'player', 'model'] as const;

export type Source = (typeof SOURCES)[number];

const stallSchema = s.object(
  {
    atMs: s.number('When it began, since the player was told to play, in ms.'),
    durationMs: s.number('How long it took, in ms; of the last, until watching ended.'),
    ended: s.flag('Whether playing went on.'),
  },
  'A time in which nothing could be played for want of data, after playing had begun.',
);

export type Stall = s.Static<typeof stallSchema>;

/** @param atMs what `atMs` is */
function switchSchema(atMs: string, about: string) {
  return s.object(
    {
      atMs: s.number(atMs),
      fromKbps: s.number('The rate before, in kbit/s.'),
      toKbps: s.number('The rate from then on, in kbit/s.'),
    },
    about,
  );
}

const sessionReportSchema = s.object(
  {
    by: s.oneOf(
      SOURCES,
      "element: the browser's <video> element by its events; player: the player's own statistics; model: computed from when the segments had arrived.",
    ),
    startupMs: s.orNull(
      s.number('From telling the player to play until playing began, in ms; null: it never did.'),
    ),
    stalls: s.list(stallSchema, 'In their order.'),
    meanBitrateKbps: s.orNull(
      s.number('Mean rate of the rungs that were played, by how long, in kbit/s; null: not told.'),
    ),
    bitrateUntold: s.optional(
      s.text('Why no mean bitrate is told; absent: one is, or before format 5.10.'),
    ),
    switches: s.optional(
      s.list(
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

export type SessionReport = s.Static<typeof sessionReportSchema>;

const playerRequestSchema = s.object(
  {
    kind: s.oneOf(['manifest', 'init', 'video', 'audio', 'other'], 'What was asked for.'),
    url: s.text('Its address.'),
    protocol: s.orNull(s.text('How it was answered: h3, h2, http/1.1; null: it was not.')),
    connectMs: s.orNull(
      s.number(
        'How long the connection took to set up that was opened for it, in ms; null: none was, or it was not answered.',
      ),
    ),
    rung: s.orNull(s.name('Id of the rung; null: it is of none.')),
    mime: s.orNull(s.text("The rung's container, as video/webm; null: it is of none.")),
    kbps: s.orNull(s.number("The rung's rate in kbit/s; null: it is of none.")),
    fromMs: s.orNull(s.number('Where in the video it begins, in ms; null: nowhere.')),
    durationMs: s.orNull(s.number('How much of the video it has, in ms; null: nothing.')),
    askedMs: s.number('When it was asked for, since the player was told to play, in ms.'),
    firstByteMs: s.orNull(s.number('When its first byte came, in ms; null: none did.')),
    endMs: s.orNull(s.number('When its last byte came, in ms; null: it never did.')),
    bytes: s.count('Bytes of its body that came.'),
    failed: s.orNull(s.text('Why it came to no end; null: it did, or watching ended before.')),
  },
  'A request of the player.',
);

export type PlayerRequest = s.Static<typeof playerRequestSchema>;

/** What only sessions of a video have. */
export const videoDetailsSchema = s.object(
  {
    player: s.object(
      { name: s.name('The player: a value of the factor.'), version: s.text('Its version.') },
      'What played.',
    ),
    watchedMs: s.number('How long it was watched, in ms.'),
    playedMs: s.number('How much of the video was played, in ms.'),
    told: s.list(sessionReportSchema, 'The session as three tell it, the element first.'),
    switches: s.list(
      switchSchema(
        'When a segment of another rung was first asked for, in ms.',
        'A change of the rung of the picture.',
      ),
      'In their order.',
    ),
    asked: s.list(playerRequestSchema, 'Every request of the player, in the order of asking.'),
    bufferStepMs: s.list(
      s.number(''),
      'How far ahead the video was buffered, at the end of each step of 250 ms since the player was told to play, in ms.',
    ),
    frames: s.orNull(
      s.object(
        { shown: s.count('That were shown.'), dropped: s.count('That came too late to be shown.') },
        'Frames of the picture.',
      ),
      'Frames of the picture; null: there never was one.',
    ),
  },
  'What only sessions of a video have.',
);

export type VideoDetails = s.Static<typeof videoDetailsSchema>;
