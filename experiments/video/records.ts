import { BOUNDS, within, withinMs } from '../../ground/records/ranges.ts';
import * as s from '../../ground/records/schema.ts';

const videoChoicesSchema = s.object(
  {
    watchedMs: s.number(
      'Watching time of a session, in ms; shorter if the video ends earlier.',
      withinMs(BOUNDS.watchedS),
    ),
    bufferMs: s.orNull(
      s.number(
        'Buffer goal of the player, in ms; null: its own default.',
        withinMs(BOUNDS.bufferS),
      ),
    ),
    adapts: s.flag('Whether the player adapts its bitrate to the network.'),
    bitrateKbps: s.orNull(
      s.number(
        'Bitrate limit in kbit/s. Selects the highest representation not above it: played if the player does not adapt, played first if it does. null: the lowest, or the first choice of the player.',
        within(BOUNDS.bitrateKbps),
      ),
    ),
  },
  'Settings of video sessions; absent in other experiments, and before format 5.9.',
);

export const VIDEO_CHOICES = { name: 'videos', schema: videoChoicesSchema };

export type VideoChoices = s.Static<typeof videoChoicesSchema>;

export const BUFFER_STEP_MS = 250;

/** Independent reports of one session. */
export const SOURCES = ['element', 'player', 'model'] as const;

export type Source = (typeof SOURCES)[number];

const stallSchema = s.object(
  {
    atMs: s.number('Start, in ms since the call to play.'),
    durationMs: s.number(
      'Duration in ms; a last stall that does not end lasts until watching ends.',
    ),
    ended: s.flag('Whether playback continued.'),
  },
  'A pause for lack of data after playback began.',
);

export type Stall = s.Static<typeof stallSchema>;

function switchSchema(atMs: string, about: string) {
  return s.object(
    {
      atMs: s.number(atMs),
      fromKbps: s.number('Bitrate before, in kbit/s.'),
      toKbps: s.number('Bitrate after, in kbit/s.'),
    },
    about,
  );
}

const sessionReportSchema = s.object(
  {
    by: s.oneOf(
      SOURCES,
      "element: events of the browser's <video> element; player: the player's own statistics; model: computed from the arrival times of segments.",
    ),
    startupMs: s.orNull(
      s.number('From the call to play until playback began, in ms; null: it never began.'),
    ),
    stalls: s.list(stallSchema, 'In their order.'),
    meanBitrateKbps: s.orNull(
      s.number('Mean bitrate of what was played, weighted by time, in kbit/s; null: unknown.'),
    ),
    bitrateUntold: s.optional(
      s.text('Why the mean bitrate is unknown; absent: it is known, or before format 5.10.'),
    ),
    switches: s.optional(
      s.list(
        switchSchema(
          'When the new one was first played, in ms since the call to play.',
          'A change of the video representation that is played.',
        ),
        'In their order; absent: bitrate unknown, or before format 5.10.',
      ),
    ),
  },
  'One of three independent reports of the session.',
);

export type SessionReport = s.Static<typeof sessionReportSchema>;

const playerRequestSchema = s.object(
  {
    kind: s.oneOf(['manifest', 'init', 'video', 'audio', 'other'], 'What was requested.'),
    url: s.text('Its address.'),
    protocol: s.orNull(s.text('Protocol of the response: h3, h2, http/1.1; null: no response.')),
    connectMs: s.orNull(
      s.number(
        'Set-up time of the connection that was opened for it, in ms; null: an existing connection, or no response.',
      ),
    ),
    rung: s.orNull(s.name('Id of the representation; null: not part of one.')),
    mime: s.orNull(
      s.text("The representation's container, such as video/webm; null: not part of one."),
    ),
    kbps: s.orNull(s.number("The representation's bitrate in kbit/s; null: not part of one.")),
    fromMs: s.orNull(s.number('Start of its content in the video, in ms; null: no media.')),
    durationMs: s.orNull(s.number('Duration of its content, in ms; null: no media.')),
    askedMs: s.number('When it was sent, in ms since the call to play.'),
    firstByteMs: s.orNull(s.number('When its first byte arrived, in ms; null: never.')),
    endMs: s.orNull(s.number('When its last byte arrived, in ms; null: never.')),
    bytes: s.count('Bytes of its body that arrived.'),
    failed: s.orNull(s.text('Why it failed; null: it succeeded, or watching ended before.')),
  },
  'A request of the player.',
);

export type PlayerRequest = s.Static<typeof playerRequestSchema>;

export const videoDetailsSchema = s.object(
  {
    player: s.object(
      { name: s.name('Name: a value of the factor.'), version: s.text('Its version.') },
      'The player.',
    ),
    watchedMs: s.number('Watching time, in ms.'),
    playedMs: s.number('Played part of the video, in ms.'),
    told: s.list(
      sessionReportSchema,
      'Three independent reports of the session, the element first.',
    ),
    switches: s.list(
      switchSchema(
        'When the new one was first requested, in ms.',
        'A change of the requested video representation.',
      ),
      'In their order.',
    ),
    asked: s.list(playerRequestSchema, 'Every request of the player, in the order sent.'),
    bufferStepMs: s.list(
      s.number(''),
      'Buffered media ahead of the playhead, in ms, at the end of each step of 250 ms since the call to play.',
    ),
    frames: s.orNull(
      s.object(
        { shown: s.count('Shown.'), dropped: s.count('Decoded too late to be shown.') },
        'Video frames.',
      ),
      'Video frames; null: no picture appeared.',
    ),
  },
  'Details of a video session.',
);

export type VideoDetails = s.Static<typeof videoDetailsSchema>;
