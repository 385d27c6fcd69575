import type { Representation } from '../../../cache/presentation.ts';
import { LIMITS } from '../../../clients/browser-limits.ts';
import { untilCrash } from '../../../clients/chromium/ending.ts';
import type { LoadContext } from '../../../clients/chromium/load-context.ts';
import { allowLocalHosts } from '../../../clients/chromium/local-hosts.ts';
import { type Recorder, startRecorder } from '../../../clients/chromium/recorder.ts';
import { openUnservedPage } from '../../../clients/chromium/unserved-page.ts';
import { findBreakage } from '../../../clients/chromium/visit.ts';
import type { Failure } from '../../../clients/load-failure.ts';
import { withDeadline } from '../../../ground/system/deadline.ts';
import { MachineError } from '../../../ground/system/errors.ts';
import { readPlainText } from '../../../ground/system/plain-file.ts';
import { type PageMessage, sessionExpression } from './in-page.ts';
import { playerNamed, programOf } from './index.ts';
import type { PlayerSettings } from './player.ts';
import { eventsUntil, mediaRequests } from './requests.ts';
import type { WatchedSession } from './watched-session.ts';

export interface PlayerOptions extends PlayerSettings {
  player: string;
  /** URL of the manifest; the page of the player has the same host. */
  url: string;
  representations: readonly Pick<Representation, 'kind' | 'mime' | 'codecs'>[];
}

/** A page with a player that has sent no request. */
export interface OpenedPlayer {
  options: PlayerOptions;
  place: LoadContext;
  /** Records network events from the player's first request on. */
  recorder: Recorder;
  /** The page's session object in the DevTools protocol. */
  objectId: string;
  /** Start of the page's clock, by the monotonic clock of the recorder's events, in ms. */
  beganAtMs: number;
  messages: PageMessage[];
  /** Resolves when watching ends, or with a failure when the player gives up. */
  over: Promise<Failure | null>;
  /** Resolves when the page crashes or the browser ends. */
  broken: Promise<Failure>;
}

const BINDING = 'quicVsHttpsReport';

/** The page ends a session by its own clock; this much later it counts as stuck. */
const SILENT_MS = 5_000;

/**
 * Opens a page with a player. Sends nothing over the path.
 * @throws MachineError if the player is not set up; Error if the page or the player does not start
 */
export async function openPlayer(
  place: LoadContext,
  options: PlayerOptions,
): Promise<OpenedPlayer> {
  const player = playerNamed(options.player);
  if (!player) throw new MachineError(`Unknown player ${options.player}.`);
  const program = await readPlainText(programOf(player).place).catch(() => {
    throw new MachineError(
      `${options.player} is not set up: ${player.file} is missing. Run: npm run setup -- --for video`,
    );
  });
  const { session } = place.tab;
  const messages: PageMessage[] = [];
  const { promise: over, resolve } = Promise.withResolvers<Failure | null>();
  session.on('Runtime.bindingCalled', ({ name, payload }) => {
    if (name !== BINDING) return;
    const message = JSON.parse(payload) as PageMessage;
    messages.push(message);
    if (message.failed !== undefined) {
      resolve({ code: 'player-failed', message: `${options.player}: ${message.failed}` });
    }
    if (message.overMs !== undefined) resolve(null);
  });
  await allowLocalHosts(place);
  const beganAtMs = await openUnservedPage(session, new URL('/', options.url).href, 'Video');
  await session.send('Runtime.enable');
  await session.send('Runtime.addBinding', { name: BINDING });
  await evaluate(session, program);
  const types = options.representations.map(typeOf);
  const { objectId } = await evaluate(session, sessionExpression(player, options, types, BINDING));
  if (objectId === undefined) throw new Error(`${options.player} did not start`);
  const crash = untilCrash(session).catch(() => place.broken);
  const broken = Promise.race([crash, place.broken]);
  const recorder = await startRecorder(place, null);
  return { options, place, recorder, objectId, beganAtMs, messages, over, broken };
}

/**
 * Plays from the beginning for a time or to the end of the video.
 * @param watchedMs in real time, not in time of the video
 * @throws the signal's reason if it is aborted
 */
export async function play(
  opened: OpenedPlayer,
  { watchedMs, signal }: { watchedMs: number; signal?: AbortSignal },
): Promise<WatchedSession> {
  const { options, recorder, beganAtMs, messages } = opened;
  const failure =
    unplayableKind(options.representations, valuesOf(messages, 'unplayable').flat()) ??
    (await untilOver(opened, watchedMs, signal));
  const [version = ''] = valuesOf(messages, 'version');
  const [beganAtPageMs = 0] = valuesOf(messages, 'beganAtPageMs');
  const ticks = valuesOf(messages, 'tick');
  const [overMs = ticks.at(-1)?.atMs ?? 0] = valuesOf(messages, 'overMs');
  await stop(opened);
  const zeroS = (beganAtMs + beganAtPageMs) / 1000;
  const events = eventsUntil(recorder.events, zeroS + overMs / 1000);
  return {
    player: { name: options.player, version },
    watchedMs: overMs,
    element: valuesOf(messages, 'element'),
    said: valuesOf(messages, 'said'),
    ticks,
    requests: mediaRequests(events, zeroS),
    events,
    frames: valuesOf(messages, 'frames').at(-1) ?? null,
    failure,
  };
}

/** Starts playback and resolves when watching ends: with a failure, or null. */
async function untilOver(
  { options, place, objectId, over, broken }: OpenedPlayer,
  watchedMs: number,
  signal: AbortSignal | undefined,
): Promise<Failure | null> {
  const began = place.tab.session
    .send('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration: 'function (...values) { this.play(...values); }',
      arguments: [{ value: options.url }, { value: watchedMs }],
    })
    .then(({ exceptionDetails }) => {
      if (exceptionDetails) throw new Error(describe(exceptionDetails));
    });
  const limitMs = watchedMs + SILENT_MS;
  const ended = Promise.race([began.then(() => over), broken]);
  return withDeadline(ended, limitMs, () => silenceFailure(place, limitMs), signal);
}

/** Leaves the page: its player would continue to send requests during the checks. */
async function stop({ place }: OpenedPlayer): Promise<void> {
  const left = place.tab.session.send('Page.navigate', { url: 'about:blank' });
  // A broken page cannot be left.
  await withDeadline(left, LIMITS.browserAnswerMs, () => {}).catch(() => {});
}

/** Values of one kind from all messages, in the order received. */
function valuesOf<Kind extends keyof PageMessage>(
  messages: readonly PageMessage[],
  kind: Kind,
): NonNullable<PageMessage[Kind]>[] {
  return messages.map((message) => message[kind]).filter((each) => each != null);
}

/** Media type for `MediaSource.isTypeSupported()`. */
function typeOf({ mime, codecs }: PlayerOptions['representations'][number]): string {
  return `${mime}; codecs="${codecs}"`;
}

/** A failure if the browser can play no representation of the picture or of the sound. */
function unplayableKind(
  representations: PlayerOptions['representations'],
  unplayable: readonly string[],
): Failure | null {
  for (const [kind, name] of Object.entries({ video: 'picture', audio: 'sound' })) {
    const types = [...new Set(representations.filter((each) => each.kind === kind).map(typeOf))];
    if (types.length > 0 && types.every((type) => unplayable.includes(type))) {
      const message = `Chromium does not support the ${name} of this video: ${types.join(', ')}.`;
      return { code: 'codec-unsupported', message };
    }
  }
  return null;
}

async function silenceFailure(place: LoadContext, limitMs: number): Promise<Failure> {
  return (
    (await findBreakage(place)) ?? {
      code: 'timeout',
      message: `The page is stuck: it did not end its session within ${limitMs / 1000} s.`,
    }
  );
}

/** @throws Error with the page's message if the script fails */
async function evaluate(session: LoadContext['tab']['session'], expression: string) {
  const evaluated = session.send('Runtime.evaluate', { expression, awaitPromise: true });
  const { result, exceptionDetails } = await withDeadline(evaluated, LIMITS.browserAnswerMs, () => {
    throw new Error(`The page ran a script for more than ${LIMITS.browserAnswerMs / 1000} s.`);
  });
  if (exceptionDetails) throw new Error(describe(exceptionDetails));
  return result;
}

function describe({ exception, text }: { exception?: { description?: string }; text: string }) {
  return `The page failed: ${exception?.description ?? text}`;
}
