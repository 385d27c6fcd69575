import type { AttachedPlayer, EventReporter, Player, PlayerSettings } from './player.ts';
import type { ElementEvent, PlayerEvent, Tick, WatchedSession } from './watched-session.ts';

/** A message over the page's binding, as JSON. */
export interface PageMessage {
  version?: string;
  /** Media types that the browser does not support. */
  unplayable?: string[];
  /** Time of the call to play, in ms since the page's navigation. */
  beganAtPageMs?: number;
  element?: ElementEvent;
  said?: PlayerEvent;
  tick?: Tick;
  /** Frames so far, sent with a tick. */
  frames?: WatchedSession['frames'];
  /** Why the player gave up. */
  failed?: string;
  /** End of watching, in ms since the call to play. */
  overMs?: number;
}

interface PageSession {
  play(url: string, watchedMs: number): void;
}

/** JavaScript for an empty page with the player's program; evaluates to a promise of a PageSession. */
export function sessionExpression(
  player: Player,
  settings: PlayerSettings,
  types: readonly string[],
  binding: string,
): string {
  const given = [settings, types, binding].map((each) => JSON.stringify(each)).join(', ');
  return `(${openSession.toString()})(${player.attach.toString()}, ${given})`;
}

// Runs in the page, so it must not refer to anything outside itself.
async function openSession(
  attach: Player['attach'],
  settings: PlayerSettings,
  types: readonly string[],
  binding: string,
): Promise<PageSession> {
  const TICK_MS = 100;
  /** Tolerated gap at the playhead: the first frame may begin slightly later than its segment. */
  const GAP_S = 0.1;
  const EVENTS = [
    'loadedmetadata',
    'resize',
    'canplay',
    'playing',
    'waiting',
    'pause',
    'seeking',
    'seeked',
    'ended',
    'error',
  ] as const;
  const push = (globalThis as unknown as Record<string, (text: string) => void>)[binding];
  let isOver = false;
  const send = (message: PageMessage) => {
    if (!isOver) push?.(JSON.stringify(message));
  };
  const video = document.createElement('video');
  video.muted = true;
  video.style.cssText = 'position: fixed; inset: 0; width: 100vw; height: 100vh';
  document.body.append(video);

  let beganAtPageMs: number | null = null;
  const sinceBegan = (atPageMs = performance.now()) => atPageMs - (beganAtPageMs ?? atPageMs);
  const say: EventReporter = Object.assign(
    (event: PlayerEvent['event'], more = {}) => {
      send({ said: { atMs: sinceBegan(), event, ...more } });
      if (event === 'ended') setTimeout(endWatching);
    },
    { failed: (message: string) => endWatching(message) },
  );
  const sendElementEvent = (event: ElementEvent['event'], atMs = sinceBegan()) => {
    const heightPx = event === 'resize' ? video.videoHeight : undefined;
    send({ element: { atMs, event, mediaMs: video.currentTime * 1000, heightPx } });
  };
  const tick = () => {
    const { buffered, currentTime } = video;
    const ranges = Array.from({ length: buffered.length }, (_, index) => index);
    const here = ranges.find(
      (index) => buffered.start(index) <= currentTime + GAP_S && buffered.end(index) >= currentTime,
    );
    const untilS = here === undefined ? currentTime : buffered.end(here);
    const { totalVideoFrames, droppedVideoFrames } = video.getVideoPlaybackQuality();
    send({
      tick: { atMs: sinceBegan(), mediaMs: currentTime * 1000, bufferedUntilMs: untilS * 1000 },
      frames:
        totalVideoFrames === 0
          ? null
          : { shown: totalVideoFrames - droppedVideoFrames, dropped: droppedVideoFrames },
    });
  };
  const endWatching = (failed?: string) => {
    tick();
    send({ overMs: sinceBegan(), failed });
    isOver = true;
  };

  for (const event of EVENTS) video.addEventListener(event, () => sendElementEvent(event));
  // Element or player, whichever is first: dash.js may reach the end before the element and seek away.
  video.addEventListener('ended', () => setTimeout(endWatching));
  video.requestVideoFrameCallback((_, { presentationTime }) =>
    sendElementEvent('frame', sinceBegan(presentationTime)),
  );
  const attached: AttachedPlayer = await attach(video, settings, say);
  const unplayable = types.filter((type) => !MediaSource.isTypeSupported(type));
  send({ version: attached.version, unplayable });
  return {
    play(url, watchedMs) {
      beganAtPageMs = performance.now();
      send({ beganAtPageMs });
      setInterval(tick, TICK_MS);
      setTimeout(endWatching, watchedMs);
      attached.play(url);
    },
  };
}
