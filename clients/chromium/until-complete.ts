import { setTimeout as sleep } from 'node:timers/promises';
import { brokenRequests, firstRequestS } from './broken-requests.ts';
import type { Failure } from './failure.ts';
import { LIMITS } from './limits.ts';
import type { LoadContext } from './load-context.ts';
import type { Recorder } from './recorder.ts';
import {
  type EndedLoad,
  isOver,
  load,
  readTimings,
  settle,
  type Visit,
  type VisitOptions,
} from './visit.ts';

/** What became of a page on whose path something happened. */
export interface BreakCounts {
  /** Requests that broke, and those that hung where nothing came any more. */
  brokenRequests: number;
  /** How often the page was reloaded. */
  reloads: number;
  /** How often of these because nothing came any more. */
  stalls: number;
  /** From the start of the first navigation to the load event of the last; null: the page never was whole. */
  completeMs: number | null;
}

/** Why a page is not waited for any longer, and how its load ends after the last reload. */
const BROKEN: Failure = {
  code: 'page-broken',
  message: `After what happened to the path some requests came to no end, and so it was after ${LIMITS.mostReloads} reloads.`,
};

/**
 * Sends a tab to a page on whose path something is to happen, and reloads the page as a user would where that breaks it: at once if
 * requests broke, after some seconds if nothing comes any more. Timings are those of the first navigation.
 * @param eventMs when it happens, after the first navigation began
 * @param loaded called when that has come to its load event, or is given up
 */
export async function loadUntilComplete(
  context: LoadContext,
  recorder: Recorder,
  options: VisitOptions,
  eventMs: number,
  loaded: () => void,
): Promise<Visit & { breaks: BreakCounts }> {
  const { events } = recorder;
  const breaks: BreakCounts = { brokenRequests: 0, reloads: 0, stalls: 0, completeMs: null };
  let timings: Visit['timings'] = null;
  for (let from = 0; ; from = events.length) {
    const navigation = events.slice.bind(events, from);
    const requests = () => brokenRequests(navigation(), firstRequestS(events) + eventMs / 1000);
    const isFirst = breaks.reloads === 0;
    const ended = await loadOrBreak(
      context,
      recorder,
      { ...options, isReload: options.isReload || !isFirst },
      { isBroken: () => requests().isDocumentBroken, waitMs: isFirst ? eventMs : 0 },
    );
    if (isFirst) loaded();
    const isBroken = ended.failure === BROKEN || (!isOver(ended.failure) && requests().broken > 0);
    const settled = isBroken ? null : await settle(context, ended);
    if (isFirst && settled) ({ timings } = settled);
    // Without its document, what there is to be asked is a page of the browser's own.
    else if (isFirst && !requests().isDocumentBroken)
      timings = await readTimings(context.tab.session);
    if (settled && (settled.failure || requests().broken === 0)) {
      const endMs = settled.failure ? null : (settled.timings?.loadEventEndMs ?? null);
      const startMs = 1000 * (firstRequestS(navigation()) - firstRequestS(events));
      return {
        ...settled,
        timings,
        breaks: { ...breaks, completeMs: endMs === null ? null : startMs + endMs },
      };
    }
    const { broken, underWay } = requests();
    breaks.brokenRequests += broken || underWay;
    breaks.stalls += Number(broken === 0);
    if (breaks.reloads === LIMITS.mostReloads) return { events, timings, failure: BROKEN, breaks };
    breaks.reloads += 1;
  }
}

/** Loads a page for as long as it is worth waiting for: without its main document it comes to no load event. */
async function loadOrBreak(
  context: LoadContext,
  recorder: Recorder,
  options: VisitOptions,
  { isBroken, waitMs }: { isBroken: () => boolean; waitMs: number },
): Promise<EndedLoad> {
  const { session } = context.tab;
  const { promise, resolve } = Promise.withResolvers<Failure>();
  const checkBroken = () => {
    if (isBroken()) resolve(BROKEN);
  };
  session.on('Network.loadingFailed', checkBroken);
  const waiting = new AbortController();
  const { signal } = waiting;
  sleep(waitMs, null, { signal })
    .then(() => recorder.stalled(LIMITS.patienceMs, signal))
    // Given up waiting means that the page has come to an end.
    .then(
      () => resolve(BROKEN),
      () => {},
    );
  try {
    return await load(context, recorder, options, promise);
  } finally {
    session.off('Network.loadingFailed', checkBroken);
    waiting.abort();
  }
}
