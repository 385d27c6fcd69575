import type { AttachedPlayer, EventReporter, Player, PlayerSettings } from '../player.ts';

/** The reference player of DASH (Dash-Industry-Forum/dash.js). */
export const dashjs: Player = {
  name: 'dashjs',
  word: 'dash.js',
  label: 'dash.js',
  file: 'dashjs/dist/modern/umd/dash.all.min.js',
  requestsInTurn: 3,
  // dash.js calls play() at once and keeps the rate (`streaming.buffer.syntheticStallEvents` is off).
  nudge: null,
  attach,
};

/** The used part of dash.js's interface. */
interface DashJs {
  Version: string;
  MediaPlayer(): {
    create(): {
      updateSettings(settings: object): void;
      initialize(video: HTMLVideoElement, url: undefined, autoPlay: boolean): void;
      attachSource(url: string): void;
      on(name: string, listener: (event: DashEvent) => void): void;
    };
  };
}

interface DashEvent {
  mediaType?: string;
  /** Whether this is the last period of the video. */
  isLast?: boolean;
  currentRepresentation?: { bitrateInKbit: number };
  error?: { code: number; message: string } | string;
}

// Runs in the page, so it must not refer to anything outside itself.
function attach(
  video: HTMLVideoElement,
  settings: PlayerSettings,
  say: EventReporter,
): AttachedPlayer {
  const { dashjs } = globalThis as unknown as { dashjs: DashJs };
  const { bufferMs, adapts, bitrateKbps } = settings;
  const bufferS = bufferMs === null ? null : bufferMs / 1000;
  const player = dashjs.MediaPlayer().create();
  player.updateSettings({
    streaming: {
      // Ignores bitrates of earlier sessions.
      lastBitrateCachingInfo: { enabled: false },
      lastMediaSettingsCachingInfo: { enabled: false },
      ...(bufferS !== null && {
        buffer: {
          bufferTimeDefault: bufferS,
          bufferTimeAtTopQuality: bufferS,
          bufferTimeAtTopQualityLongForm: bufferS,
        },
      }),
      abr: {
        autoSwitchBitrate: { video: adapts, audio: adapts },
        // dash.js selects the highest representation not above this bitrate, else the lowest. Default: 1000 kbit/s.
        ...((bitrateKbps !== null || !adapts) && { initialBitrate: { video: bitrateKbps ?? 1 } }),
      },
    },
  });
  let hasStarted = false;
  player.on('playbackPlaying', () => {
    say(hasStarted ? 'buffered' : 'started');
    hasStarted = true;
  });
  // dash.js's buffer events concern only picture or sound, and sound continues without a picture for a time.
  player.on('playbackWaiting', () => {
    if (hasStarted) say('buffering');
  });
  player.on('representationSwitch', ({ mediaType, currentRepresentation }) => {
    if (mediaType === 'video') say('switched', { kbps: currentRepresentation?.bitrateInKbit });
  });
  player.on('playbackEnded', ({ isLast }) => {
    if (isLast) say('ended');
  });
  // dash.js reports an error only after its retries, and then sends no more requests.
  player.on('error', ({ error }) => {
    say.failed(typeof error === 'object' ? `error ${error.code}: ${error.message}` : `${error}`);
  });
  player.initialize(video, undefined, true);
  return { version: dashjs.Version, play: (url) => player.attachSource(url) };
}
