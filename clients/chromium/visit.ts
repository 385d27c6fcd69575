import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession } from 'puppeteer-core';
import { withDeadline } from '../../ground/system/deadline.ts';
import { type Ending, endingOf, timeout, untilLoadEvent, untilReloaded } from './ending.ts';
import type { Failure } from './failure.ts';
import type { CdpEvent } from './har/events.ts';
import { LIMITS } from './limits.ts';
import type { LoadContext } from './load-context.ts';
import { type RecordedTab, type Recorder, startRecorder } from './recorder.ts';
import { type PageTimings, pageTimingsExpression } from './timings.ts';

/** Where a tab is sent to, and how. */
export interface VisitOptions {
  url: string;
  /** Whether the page that is there is loaded once more. */
  isReload: boolean;
  timeoutS: number;
  /** JavaScript to run in every document before the page's own; null: none. */
  script: string | null;
  /** Whether what a HAR is made of is kept; without it, what looking costs can be measured. */
  capture: boolean;
}

/** A load that has come to its load event, or to its failure. */
export interface EndedLoad {
  recorder: Recorder;
  /** null when the load event fired. */
  failure: Failure | null;
}

/** What a browser did when it was sent to a page. */
export interface Visit {
  events: CdpEvent[];
  /** null when the load failed before the page could be asked. */
  timings: PageTimings | null;
  failure: Failure | null;
}

/** Gets a tab ready to be sent to a page and looked at. */
export function watchTab(place: RecordedTab, options: VisitOptions): Promise<Recorder> {
  return options.capture ? startRecorder(place, options.script) : Promise.resolve(NO_RECORDER);
}

/**
 * Sends a tab to a page, to its load event.
 * @param broken resolves where the page is not to be waited for any longer; left out: it always is
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
 * Resolves when what there was at the load event has been painted: until then, nothing else is to take the processor. A page that is not
 * painted, or is stuck, is not waited for any longer than the network.
 */
export async function waitForPaint({ tab }: LoadContext): Promise<void> {
  const frame = tab.session
    .send('Runtime.evaluate', { expression: NEXT_FRAME, awaitPromise: true })
    .catch(() => {});
  await withDeadline(frame, LIMITS.quietMs, () => {});
}

// The task after a frame's callbacks comes when that frame has been handed on.
const NEXT_FRAME = 'new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))';

/** Waits for a quiet network and asks the page for its timings. */
export async function settle(
  context: LoadContext,
  { recorder, failure }: EndedLoad,
): Promise<Visit> {
  if (failure === null) await recorder.quiet(LIMITS.quietMs, LIMITS.quietLimitMs);
  // What the page goes on to ask for is under way, and no part of the load.
  const events = [...recorder.events];
  const timings = isOver(failure) ? null : await readTimings(context.tab.session);
  return {
    events,
    timings,
    failure: timings ? failure : await failureWithoutTimings(failure, context),
  };
}

/** Keeps nothing and waits for nothing but the time given. */
const NO_RECORDER: Recorder = {
  events: [],
  isQuiet: () => true,
  quiet: (quietMs) => sleep(quietMs),
  stalled: () => new Promise(() => {}),
  bodyOf: async () => null,
};

/** Whether there is nothing left that could be asked. */
export function isOver(failure: Failure | null): boolean {
  return failure !== null && ['page-crashed', 'browser-failed'].includes(failure.code);
}

/** A page that does not tell its timings is stuck, or has crashed, or its whole browser hangs. */
async function failureWithoutTimings(
  failure: Failure | null,
  context: LoadContext,
): Promise<Failure> {
  if (failure !== null && isOver(failure)) return failure;
  return (
    (await findBreakage(context)) ??
    failure ?? {
      ...timeout(0),
      message: 'The page fired its load event, but did not report its timings.',
    }
  );
}

/** Why a page is silent: it has crashed, or its whole browser hangs or has ended; null: it is stuck. */
export async function findBreakage(context: LoadContext): Promise<Failure | null> {
  const silent = new Promise<never>(() => {});
  const crashed = await endingOf(silent, context, 0);
  if (crashed && isOver(crashed)) return crashed;
  const version = context.root.send('Browser.getVersion').catch(() => null);
  if ((await withDeadline(version, BROWSER_ANSWERS_WITHIN_MS, () => null)) === null) {
    const message = `Chromium hung: it did not even tell its version within ${BROWSER_ANSWERS_WITHIN_MS / 1000} s, and was killed.`;
    return { code: 'browser-hung', message };
  }
  return null;
}

const BROWSER_ANSWERS_WITHIN_MS = 5_000;

const READ_TIMINGS_LIMIT_MS = 5_000;

/** Asks a page for its timings; one that is stuck in a script of its own does not answer: null. */
export async function readTimings(session: CDPSession): Promise<PageTimings | null> {
  const answer = session
    .send('Runtime.evaluate', { expression: pageTimingsExpression, returnByValue: true })
    .then(
      ({ result }) => (result.value as PageTimings | undefined) ?? null,
      () => null,
    );
  return withDeadline(answer, READ_TIMINGS_LIMIT_MS, () => null);
}
