import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession } from 'puppeteer-core';
import { withDeadline } from '../../ground/system/deadline.ts';
import { LIMITS } from '../browser-limits.ts';
import { type Failure, isOver, SILENT_PAGE } from '../load-failure.ts';
import type { VisitOptions } from '../page-context.ts';
import { nextFrameExpression, type PageTimings, pageTimingsExpression } from '../page-timings.ts';
import { type Ending, endingOf, untilLoadEvent, untilReloaded } from './ending.ts';
import type { CdpEvent } from './har/events.ts';
import type { LoadContext } from './load-context.ts';
import { type RecordedTab, type Recorder, startRecorder } from './recorder.ts';

/** A load that fired its load event or failed. */
export interface EndedLoad {
  recorder: Recorder;
  /** null: the load event fired. */
  failure: Failure | null;
}

export interface Visit {
  events: CdpEvent[];
  /** null: the load failed before the page could report timings. */
  timings: PageTimings | null;
  failure: Failure | null;
}

/** Prepares a tab to be navigated and recorded. */
export function watchTab(tab: RecordedTab, options: VisitOptions): Promise<Recorder> {
  return options.capture ? startRecorder(tab, options.script) : Promise.resolve(NO_RECORDER);
}

/**
 * Navigates a tab to a page and waits for its load event.
 * @param broken resolves when waiting is pointless; absent: never
 */
export async function load(
  context: Pick<LoadContext, 'tab' | 'broken'>,
  recorder: Recorder,
  { url, isReload, timeoutS }: VisitOptions,
  broken?: Ending,
): Promise<EndedLoad> {
  const { session } = context.tab;
  const loading = isReload ? untilReloaded(session) : untilLoadEvent(session, url);
  const ending = broken ? Promise.race([loading, broken]) : loading;
  return { recorder, failure: await endingOf(ending, context, timeoutS) };
}

/**
 * Resolves when the state at the load event has been painted, so that other work cannot delay it; or after `quietMs`, for a
 * page that does not paint.
 */
export async function waitForPaint({ tab }: LoadContext): Promise<void> {
  const frame = tab.session
    .send('Runtime.evaluate', { expression: nextFrameExpression, awaitPromise: true })
    .catch(() => {});
  await withDeadline(frame, LIMITS.quietMs, () => {});
}

/** Waits for a quiet network and requests the page's timings. */
export async function settle(
  context: LoadContext,
  { recorder, failure }: EndedLoad,
): Promise<Visit> {
  if (failure === null) await recorder.quiet(LIMITS.quietMs, LIMITS.quietLimitMs);
  // Later requests of the page are not part of the load.
  const events = [...recorder.events];
  const timings = isOver(failure) ? null : await readTimings(context.tab.session);
  return {
    events,
    timings,
    failure: timings ? failure : await failureWithoutTimings(failure, context),
  };
}

/** Records nothing and only waits the given time. */
const NO_RECORDER: Recorder = {
  events: [],
  isQuiet: () => true,
  quiet: (quietMs) => sleep(quietMs),
  stalled: () => new Promise(() => {}),
  bodyOf: async () => null,
};

/** Failure of a page that does not report timings: stuck, crashed, or the browser hangs. */
async function failureWithoutTimings(
  failure: Failure | null,
  context: LoadContext,
): Promise<Failure> {
  if (failure !== null && isOver(failure)) return failure;
  return (await findBreakage(context)) ?? failure ?? SILENT_PAGE;
}

/** Why a page does not respond: it crashed, or the browser hangs or has ended; null: it is stuck. */
export async function findBreakage(context: LoadContext): Promise<Failure | null> {
  const silent = new Promise<never>(() => {});
  const crashed = await endingOf(silent, context, 0);
  if (crashed && isOver(crashed)) return crashed;
  const version = context.root.send('Browser.getVersion').catch(() => null);
  if ((await withDeadline(version, BROWSER_ANSWERS_WITHIN_MS, () => null)) === null) {
    const message = `Chromium hung: it did not report its version within ${BROWSER_ANSWERS_WITHIN_MS / 1000} s, and was killed.`;
    return { code: 'browser-hung', message };
  }
  return null;
}

const BROWSER_ANSWERS_WITHIN_MS = 5_000;

const READ_TIMINGS_LIMIT_MS = 5_000;

/** Reads a page's timings; null: stuck in a script. */
export async function readTimings(session: CDPSession): Promise<PageTimings | null> {
  const answer = session
    .send('Runtime.evaluate', { expression: pageTimingsExpression, returnByValue: true })
    .then(
      ({ result }) => (result.value as PageTimings | undefined) ?? null,
      () => null,
    );
  return withDeadline(answer, READ_TIMINGS_LIMIT_MS, () => null);
}
