import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '../browser-limits.ts';
import { type Failure, isOver } from '../load-failure.ts';
import type { BreakCounts, VisitOptions } from '../page-context.ts';
import { brokenRequests, firstRequestS } from './broken-requests.ts';
import type { LoadContext } from './load-context.ts';
import type { Recorder } from './recorder.ts';
import { type EndedLoad, load, readTimings, settle, type Visit } from './visit.ts';

const BROKEN: Failure = {
  code: 'page-broken',
  message: `After the network event, requests stayed incomplete despite ${LIMITS.mostReloads} reloads.`,
};

/**
 * Loads a page during a network event, and reloads it as a user would if the event breaks it: at once if requests broke, after some
 * seconds if nothing arrives any more. Timings are those of the first navigation.
 * @param eventMs time of the event, since the start of the first navigation
 * @param loaded called at the first navigation's load event, or when waiting for it ends
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
    // Without its document, the tab shows Chromium's own error page.
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

/** Loads a page until it cannot complete: without its main document it has no load event. */
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
    // The wait is aborted when the page is complete.
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
