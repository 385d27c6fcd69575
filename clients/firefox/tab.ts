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
import { type EventParams, type Recording, startRecording } from './recording.ts';
import { evaluate } from './script.ts';
import type { FirefoxContext } from './user-context.ts';
import { setWorkerScript } from './worker-script.ts';

interface FirefoxPage extends WatchedPage {
  settle(failure: Failure | null): Promise<PageVisit & { channels: readonly ChannelFacts[] }>;
}

/** Records a tab from before its navigation, until it is closed. */
export async function watchTab(of: FirefoxContext, options: VisitOptions): Promise<FirefoxPage> {
  const { session, context } = of;
  const { url, isReload, timeoutS, script, keepsBodies = false } = options;
  const collector = keepsBodies ? await keepBodies(of) : null;
  const recording = startRecording(of);
  await of.privileged(setWorkerScript(script));
  if (script !== null) {
    await session.send('script.addPreloadScript', {
      functionDeclaration: `() => { ${script} }`,
      contexts: [context],
    });
  }
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
      const painted = evaluate(session, { context }, nextFrameExpression).catch(() => {});
      await withDeadline(painted, LIMITS.quietMs, () => {});
    },
    async settle(failure) {
      if (failure === null) await untilQuiet(of);
      // Later requests of the page are not part of the load.
      const events = [...recording.events];
      const timings = isOver(failure) ? null : await readTimings(of);
      const reason = timings || isOver(failure) ? failure : await whyNoTimings(of, failure);
      const channels = reason?.code === 'browser-hung' ? [] : await readFacts(of);
      const record = recordOf(events, channels, recording);
      return { record, timings, failure: reason, channels };
    },
    responses: () =>
      collector === null ? null : responsesIn(session, recording.events, collector),
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
  // A sandbox, because a page may have replaced functions.
  const page = { context, sandbox: 'timings' };
  const timings = evaluate<PageTimings>(session, page, pageTimingsExpression).catch(() => null);
  return withDeadline(timings, READ_TIMINGS_LIMIT_MS, () => null);
}

const READ_TIMINGS_LIMIT_MS = 5_000;

/** Failure of a page that does not report timings: stuck, or the browser hangs. */
async function whyNoTimings(
  { session }: FirefoxContext,
  failure: Failure | null,
): Promise<Failure> {
  const status = session.send('session.status').then(
    () => true,
    () => false,
  );
  if (!(await withDeadline(status, READ_TIMINGS_LIMIT_MS, () => false))) {
    const message = `Firefox hung: it did not report its status within ${READ_TIMINGS_LIMIT_MS / 1000} s, and was killed.`;
    return { code: 'browser-hung', message };
  }
  return failure ?? SILENT_PAGE;
}

/** Responses whose bodies were kept; `collector` keeps them. */
function responsesIn(
  session: BidiSession,
  events: readonly BidiEvent[],
  collector: string,
): ReceivedResponse[] {
  return events.flatMap(({ method, params }) => {
    const { request, response } = params as EventParams;
    if (method !== 'network.responseCompleted' || !request || !response) return [];
    const readBody = async () => {
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

/** Keeps the bodies of a tab's responses from now on; returns the name by which they are read. */
async function keepBodies({ session, context }: FirefoxContext): Promise<string> {
  await session.send('session.subscribe', {
    events: ['network.responseCompleted'],
    contexts: [context],
  });
  const { collector } = await session.send<{ collector: string }>('network.addDataCollector', {
    dataTypes: ['response'],
    maxEncodedDataSize: MOST_BODY_BYTES,
    contexts: [context],
  });
  return collector;
}

/** A larger body is not compared. */
const MOST_BODY_BYTES = 10_000_000;
