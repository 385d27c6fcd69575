import type { Representation } from '../../../cache/presentation.ts';
import { untilCrash } from '../../../clients/chromium/ending.ts';
import type { Failure } from '../../../clients/chromium/failure.ts';
import { LIMITS } from '../../../clients/chromium/limits.ts';
import type { LoadContext } from '../../../clients/chromium/load-context.ts';
import { allowLocalHosts } from '../../../clients/chromium/local-hosts.ts';
import { type Recorder, startRecorder } from '../../../clients/chromium/recorder.ts';
import { openUnservedPage } from '../../../clients/chromium/unserved-page.ts';
import { findBreakage } from '../../../clients/chromium/visit.ts';
import { withDeadline } from '../../../ground/system/deadline.ts';
import { MachineError } from '../../../ground/system/errors.ts';
import { readPlainText } from '../../../ground/system/plain-file.ts';
import { type PageMessage, sessionExpression } from './in-page.ts';
import { playerNamed, programOf } from './index.ts';
import type { PlayerSettings } from './player.ts';
import { eventsUntil, mediaRequests } from './requests.ts';
import type { WatchedSession } from './watched-session.ts';

/** What is played, and by whom. */
export interface PlayerOptions extends PlayerSettings {
  player: string;
  /** Of the manifest; the page that plays it stands on the same host. */
  url: string;
  /** What the manifest offers. */
  rungs: readonly Pick<Representation, 'kind' | 'mime' | 'codecs'>[];
}

/** A page with a player that has asked for nothing. */
export interface OpenedPlayer {
  options: PlayerOptions;
  place: LoadContext;
  /** Of what goes over the network, from the player's first request on. */
  recorder: Recorder;
  /** The session in the page, by its name in the protocol of DevTools. */
  objectId: string;
  /** When the page's clock began, by the monotonic clock of the recorder's events, in ms. */
  beganAtMs: number;
  messages: PageMessage[];
  /** Resolves when the page has told that watching is over, or the player that it has given up. */
  over: Promise<Failure | null>;
  /** Resolves when the page crashes, or its browser ends. */
  broken: Promise<Failure>;
}

const BINDING = 'quicVsHttpsTells';

/** The page's own clock ends a session; one that is silent for so much longer is stuck. */
const SILENT_MS = 5_000;

/**
 * Makes ready to play a video. Nothing goes over the path.
 * @throws MachineError when the player is not set up; Error when the page does not open or the player does not start
 */
export async function openPlayer(
  place: LoadContext,
  options: PlayerOptions,
): Promise<OpenedPlayer> {
  const player = playerNamed(options.player);
  if (!player) throw new MachineError(`This version has no player ${options.player}.`);
  const program = await readPlainText(programOf(player).place).catch(() => {
    throw new MachineError(
      `${options.player} is not set up: there is no ${player.file}. Run: npm run setup -- --for video`,
    );
  });
  const { session } = place.tab;
  const messages: PageMessage[] = [];
  const { promise: over, resolve } = Promise.withResolvers<Failure | null>();
  session.on('Runtime.bindingCalled', ({ name, payload }) => {
    if (name !== BINDING) return;
    const telling = JSON.parse(payload) as PageMessage;
    messages.push(telling);
    if (telling.failed !== undefined) {
      resolve({ code: 'player-failed', message: `${options.player}: ${telling.failed}` });
    }
    if (telling.overMs !== undefined) resolve(null);
  });
  await allowLocalHosts(place);
  const beganAtMs = await openUnservedPage(session, new URL('/', options.url).href, 'Video');
  await session.send('Runtime.enable');
  await session.send('Runtime.addBinding', { name: BINDING });
  await evaluate(session, program);
  const types = options.rungs.map(typeOf);
  const { objectId } = await evaluate(session, sessionExpression(player, options, types, BINDING));
  if (objectId === undefined) throw new Error(`${options.player} did not start`);
  const crash = untilCrash(session).catch(() => place.broken);
  const broken = Promise.race([crash, place.broken]);
  const recorder = await startRecorder(place, null);
  return { options, place, recorder, objectId, beganAtMs, messages, over, broken };
}

/**
 * Has a player play from the beginning, and watches it to the end of the video or for so long.
 * @param watchedMs of time as it passes, not of the video
 * @throws the signal's reason when it is aborted
 */
export async function play(
  opened: OpenedPlayer,
  { watchedMs, signal }: { watchedMs: number; signal?: AbortSignal },
): Promise<WatchedSession> {
  const { options, recorder, beganAtMs, messages } = opened;
  const failure =
    unplayableKind(options.rungs, valuesOf(messages, 'unplayable').flat()) ??
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

/** Tells the page to play; resolves when watching is over, with why it ended before its time. */
async function untilOver(
  { options, place, objectId, over, broken }: OpenedPlayer,
  watchedMs: number,
  signal: AbortSignal | undefined,
): Promise<Failure | null> {
  const began = place.tab.session
    .send('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration: 'function (...asked) { this.play(...asked); }',
      arguments: [{ value: options.url }, { value: watchedMs }],
    })
    .then(({ exceptionDetails }) => {
      if (exceptionDetails) throw new Error(describe(exceptionDetails));
    });
  const limitMs = watchedMs + SILENT_MS;
  const ended = Promise.race([began.then(() => over), broken]);
  return withDeadline(ended, limitMs, () => silenceFailure(place, limitMs), signal);
}

/** Leaves the page: with it ends its player, which would go on asking while the session is judged. */
async function stop({ place }: OpenedPlayer): Promise<void> {
  const left = place.tab.session.send('Page.navigate', { url: 'about:blank' });
  // Of a page that broke there is nothing to leave.
  await withDeadline(left, LIMITS.browserAnswerMs, () => {}).catch(() => {});
}

/** What a page has told of one kind, in the order of telling. */
function valuesOf<Kind extends keyof PageMessage>(
  messages: readonly PageMessage[],
  kind: Kind,
): NonNullable<PageMessage[Kind]>[] {
  return messages.map((telling) => telling[kind]).filter((each) => each != null);
}

/** As the browser names a type of media. */
function typeOf({ mime, codecs }: PlayerOptions['rungs'][number]): string {
  return `${mime}; codecs="${codecs}"`;
}

/** Whether there is picture or sound of which no rung can be played. */
function unplayableKind(
  rungs: PlayerOptions['rungs'],
  unplayable: readonly string[],
): Failure | null {
  for (const [kind, name] of Object.entries({ video: 'picture', audio: 'sound' })) {
    const types = [...new Set(rungs.filter((rung) => rung.kind === kind).map(typeOf))];
    if (types.length > 0 && types.every((type) => unplayable.includes(type))) {
      const message = `Chromium does not play the ${name} of this video: ${types.join(', ')}.`;
      return { code: 'codec-unsupported', message };
    }
  }
  return null;
}

async function silenceFailure(place: LoadContext, limitMs: number): Promise<Failure> {
  return (
    (await findBreakage(place)) ?? {
      code: 'timeout',
      message: `The page was stuck: it did not end its session within ${limitMs / 1000} s.`,
    }
  );
}

/** @throws Error in the words of the page when the script fails */
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
