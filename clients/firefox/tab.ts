import { setTimeout as sleep } from 'node:timers/promises';
import { withDeadline } from '../../ground/system/deadline.ts';
import { LIMITS } from '../browser-limits.ts';
import { type Failure, isOver, SILENT_PAGE, timeout } from '../load-failure.ts';
import type {
  PageRecord,
  PageVisit,
  ReceivedResponse,
  VisitOptions,
  WatchedPage,
} from '../page-context.ts';
import { nextFrameExpression, type PageTimings, pageTimingsExpression } from '../page-timings.ts';
import type { BidiEvent, BidiSession } from './bidi.ts';
import { activityOf, type ChannelActivity, type ChannelFacts, factsOf } from './channel-facts.ts';
import { buildFirefoxHar } from './har/build.ts';
import { decodedSize } from './har/response.ts';
import { type EventParams, type Recording, startRecording } from './recording.ts';
import { evaluate } from './script.ts';
import type { FirefoxContext } from './user-context.ts';
import { setWorkerScript } from './worker-script.ts';

export interface FirefoxPage extends WatchedPage {
  settle(failure: Failure | null): Promise<PageVisit & { channels: readonly ChannelFacts[] }>;
  /** Ends the recording, and all that it set up in Firefox, which would slow later loads. */
  stop(): Promise<void>;
}

/** Records a tab from before its navigation, until it is closed or the recording stops. */
export async function watchTab(of: FirefoxContext, options: VisitOptions): Promise<FirefoxPage> {
  const { session, context } = of;
  const { url, isReload, timeoutS, script, keepsBodies = false } = options;
  const bodies = keepsBodies ? await keepBodies(of) : null;
  const recording = startRecording(of);
  let facts: readonly ChannelFacts[] = [];
  await of.privileged(setWorkerScript(script));
  const preload =
    script !== null &&
    (await session.send<{ script: string }>('script.addPreloadScript', {
      functionDeclaration: `() => { ${script} }`,
      contexts: [context],
    }));
  return {
    async load() {
      const ended = recording.nextEnd();
      const method = isReload ? 'browsingContext.reload' : 'browsingContext.navigate';
      const begun = session.send(method, { context, wait: 'none', ...(!isReload && { url }) });
      const failed = new Promise<Failure>((resolve) => {
        begun.catch(({ message }: Error) =>
          resolve({ code: 'navigation-failed', message: `Firefox: ${message} at ${url}` }),
        );
      });
      return withDeadline(Promise.race([ended, failed, of.broken]), timeoutS * 1000, () =>
        timeout(timeoutS),
      );
    },
    isQuiet: async () => (await activityIn(of)).pending === 0,
    async waitForPaint() {
      const painted = evaluate(session, pageIn(context), nextFrameExpression).catch(() => {});
      await withDeadline(painted, LIMITS.quietMs, () => {});
    },
    async settle(failure) {
      const over = Promise.race([untilCrash(recording), of.broken]);
      if (failure === null) await untilQuiet(of);
      // Later requests of the page are not part of the load.
      const events = [...recording.events];
      const read = isOver(failure) ? null : await readTimings(of);
      // The page that Firefox shows after a crash has timings, too.
      const breakage = await withDeadline(over, 0, () => null);
      const timings = breakage ? null : read;
      const reason =
        breakage ?? (timings || isOver(failure) ? failure : await whyNoTimings(of, failure, over));
      const channels = reason?.code === 'browser-hung' ? [] : await readFacts(of);
      facts = channels;
      const record = recordOf(events, channels, recording);
      return { record, timings, failure: reason, channels };
    },
    responses: () => bodies && responsesIn(session, { ...recording, facts, ...bodies }),
    async stop() {
      recording.stop();
      const { collector, subscription } = bodies ?? {};
      await Promise.allSettled([
        collector && session.send('network.removeDataCollector', { collector }),
        subscription && session.send('session.unsubscribe', { subscriptions: [subscription] }),
        preload && session.send('script.removePreloadScript', preload),
      ]);
    },
  };
}

function recordOf(
  events: readonly BidiEvent[],
  channels: readonly ChannelFacts[],
  recording: Recording,
): PageRecord {
  return {
    makeHar: (about) => buildFirefoxHar({ events, channels }, about),
    loadedMs: recording.loadedMs(),
    dialogs: recording.dialogs(),
  };
}

/** Waits until no request has been pending for some time, from now on, but not for long. */
async function untilQuiet(of: FirefoxContext): Promise<void> {
  const { quietMs, quietLimitMs } = LIMITS;
  const endMs = performance.now() + quietLimitMs;
  for (let waitMs: number = quietMs; waitMs > 0 && performance.now() < endMs; ) {
    await sleep(waitMs);
    const { pending, silentMs } = await activityIn(of);
    waitMs = pending > 0 ? quietMs : quietMs - silentMs;
  }
}

/** As that of a quiet page if Firefox does not answer: reading its timings will fail, too. */
function activityIn({ privileged, userContextId }: FirefoxContext): Promise<ChannelActivity> {
  const quiet = { pending: 0, silentMs: Number.POSITIVE_INFINITY };
  const activity = privileged<ChannelActivity>(activityOf(userContextId)).catch(() => quiet);
  return withDeadline(activity, LIMITS.browserAnswerMs, () => quiet);
}

/** Requests of a user context since the last call. */
export function readFacts({ privileged, userContextId }: FirefoxContext): Promise<ChannelFacts[]> {
  const facts = privileged<ChannelFacts[]>(factsOf(userContextId)).catch(() => []);
  return withDeadline(facts, LIMITS.browserAnswerMs, () => []);
}

/** Reads a page's timings; null: stuck in a script, or gone. */
async function readTimings({ session, context }: FirefoxContext): Promise<PageTimings | null> {
  const timings = evaluate<PageTimings>(session, pageIn(context), pageTimingsExpression);
  const read = timings.catch(() => null);
  return withDeadline(read, READ_TIMINGS_LIMIT_MS, () => null);
}

/** In a sandbox, because a page may have replaced functions. */
function pageIn(context: string) {
  return { context, sandbox: 'timings' };
}

const READ_TIMINGS_LIMIT_MS = 5_000;

/** Resolves with the failure when the tab's page crashes. */
async function untilCrash(recording: Recording): Promise<Failure> {
  for (;;) {
    const end = await recording.nextEnd();
    if (end && isOver(end)) return end;
  }
}

/**
 * Failure of a page that does not report timings: stuck or crashed, or the browser hangs or has ended.
 * @param over resolves when the page has crashed or the browser has ended
 */
async function whyNoTimings(
  { session }: FirefoxContext,
  failure: Failure | null,
  over: Promise<Failure | null>,
): Promise<Failure> {
  const status = session.send('session.status').then(
    () => null,
    () => over,
  );
  const message = `Firefox hung: it did not report its status within ${READ_TIMINGS_LIMIT_MS / 1000} s, and was killed.`;
  const hung = (): Failure => ({ code: 'browser-hung', message });
  const breakage = await withDeadline(Promise.race([status, over]), READ_TIMINGS_LIMIT_MS, hung);
  // Firefox reports a crash some time after the page's process has ended.
  const crash = breakage ?? (await withDeadline(over, CRASH_REPORT_MS, () => null));
  return crash ?? failure ?? SILENT_PAGE;
}

const CRASH_REPORT_MS = 1_000;

/** Responses whose bodies were kept; `collector` keeps them. */
function responsesIn(
  session: BidiSession,
  {
    events,
    facts,
    collector,
  }: { events: readonly BidiEvent[]; facts: readonly ChannelFacts[]; collector: string },
): ReceivedResponse[] {
  // Firefox returns a decoded body, which may be much larger than the encoded one that the collector limits.
  const sizes = Map.groupBy(facts, ({ url }) => url);
  const isReadable = (url: string) =>
    sizes
      .get(url)
      ?.every((each) => (decodedSize(each) ?? Number.POSITIVE_INFINITY) <= MOST_BODY_BYTES);
  return events.flatMap(({ method, params }) => {
    const { request, response } = params as EventParams;
    if (method !== 'network.responseCompleted' || !request || !response) return [];
    const readBody = async () => {
      if (!isReadable(request.url)) return null;
      const data = { dataType: 'response', collector, request: request.request };
      const body = await session.send<BodyAnswer>('network.getData', data).catch(() => null);
      return body && { body: body.bytes.value, base64Encoded: body.bytes.type === 'base64' };
    };
    const { url, method: requested } = request;
    return [
      { method: requested, url, status: response.status, bytes: null, charset: '', readBody },
    ];
  });
}

interface BodyAnswer {
  bytes: { type: 'string' | 'base64'; value: string };
}

/** Keeps the bodies of a tab's responses from now on. */
async function keepBodies({ session, context }: FirefoxContext): Promise<KeptBodies> {
  const { subscription } = await session.send<{ subscription: string }>('session.subscribe', {
    events: ['network.responseCompleted'],
    contexts: [context],
  });
  const { collector } = await session.send<{ collector: string }>('network.addDataCollector', {
    dataTypes: ['response'],
    maxEncodedDataSize: MOST_BODY_BYTES,
    contexts: [context],
  });
  return { collector, subscription };
}

/** Names of what keeps bodies in Firefox. */
interface KeptBodies {
  collector: string;
  subscription: string;
}

/** A larger body is not compared. As text of a message it has up to six times as many bytes. */
const MOST_BODY_BYTES = 10_000_000;
