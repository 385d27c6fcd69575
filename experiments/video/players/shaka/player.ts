import type { AttachedPlayer, EventReporter, Player, PlayerSettings } from '../player.ts';

/** Google's player for the web (shaka-project/shaka-player). */
export const shaka: Player = {
  name: 'shaka',
  word: 'shaka',
  label: 'Shaka Player',
  file: 'shaka-player/dist/shaka-player.compiled.js',
  // Shaka requests initialization and first segments concurrently.
  requestsInTurn: 2,
  // `streaming.stallThreshold`, `streaming.stallSkip`, and 0.5 s of data in its stall detector, which
  // runs every 0.25 s. `streaming.rebufferingGoal` is 0 since 5.0, so that it does not delay playback.
  nudge: { aheadMs: 500, afterMs: 1_000, byMs: 100 },
  attach,
};

/** The used part of Shaka's interface. */
interface Shaka {
  Player: {
    version: string;
    new (): {
      configure(settings: object): void;
      configure(setting: string, value: unknown): void;
      attach(video: HTMLVideoElement): Promise<void>;
      load(url: string): Promise<void>;
      getManifest(): { variants: { bandwidth: number; video: { bandwidth?: number } | null }[] };
      getVariantTracks(): { active: boolean; bandwidth: number; videoBandwidth: number | null }[];
      addEventListener(name: string, listener: (event: ShakaEvent) => void): void;
    };
  };
  polyfill: { installAll(): void };
  util: { Error: { Code: Readonly<Record<string, number>> } };
}

interface ShakaEvent {
  buffering: boolean;
  detail: ShakaError;
}

/** Severity 2: the player gave up. */
interface ShakaError {
  severity: number;
  code: number;
  data: readonly unknown[];
}

// Runs in the page, so it must not refer to anything outside itself.
async function attach(
  video: HTMLVideoElement,
  settings: PlayerSettings,
  say: EventReporter,
): Promise<AttachedPlayer> {
  const { shaka } = globalThis as unknown as { shaka: Shaka };
  const { bufferMs, adapts, bitrateKbps } = settings;
  shaka.polyfill.installAll();
  const player = new shaka.Player();
  player.configure({
    // The browser's network information stems from earlier sessions.
    abr: { enabled: adapts, useNetworkInformation: false },
    ...(bufferMs !== null && { streaming: { bufferingGoal: bufferMs / 1000 } }),
  });
  const wordsOf = ({ code, data }: ShakaError) => {
    const [name] = Object.entries(shaka.util.Error.Code).find(([, each]) => each === code) ?? [];
    const about = data.filter((each) => ['string', 'number'].includes(typeof each)).join(', ');
    return `error ${code}, ${name}: ${about.slice(0, 200)}`;
  };
  player.addEventListener('error', ({ detail }) => {
    if (detail.severity === 2) say.failed(wordsOf(detail));
  });
  // The first variant must not exceed 0.95 of the default bandwidth estimate.
  player.addEventListener('manifestparsed', () => {
    if (bitrateKbps === null && adapts) return;
    const variants = player.getManifest().variants.toSorted((a, b) => a.bandwidth - b.bandwidth);
    const isWanted = ({ bandwidth, video }: (typeof variants)[number]) =>
      (video?.bandwidth ?? bandwidth) <= (bitrateKbps ?? 0) * 1000;
    const { bandwidth = 0 } = variants.findLast(isWanted) ?? variants[0] ?? {};
    player.configure('abr.defaultBandwidthEstimate', Math.ceil(bandwidth / 0.95));
  });
  let kbps: number | null = null;
  const reportSwitch = () => {
    const active = player.getVariantTracks().find((track) => track.active);
    const now = active?.videoBandwidth ? active.videoBandwidth / 1000 : null;
    if (now !== null && now !== kbps) say('switched', { kbps: now });
    kbps = now ?? kbps;
  };
  for (const name of ['adaptation', 'variantchanged', 'loaded']) {
    player.addEventListener(name, reportSwitch);
  }
  let hasStarted = false;
  video.addEventListener('playing', () => {
    if (!hasStarted) say('started');
    hasStarted = true;
  });
  player.addEventListener('buffering', ({ buffering }) => {
    if (hasStarted) say(buffering ? 'buffering' : 'buffered');
  });
  video.addEventListener('ended', () => say('ended'));
  await player.attach(video);
  return {
    version: shaka.Player.version.replace(/^v/, ''),
    play: (url) => {
      player.load(url).then(
        () => video.play(),
        (error: ShakaError) => say.failed(wordsOf(error)),
      );
    },
  };
}
