import { brokenRequests, documentRequest } from './broken-requests.ts';
import type { Ending } from './ending.ts';
import type { Failure } from './failure.ts';
import type { CdpEvent } from './har/events.ts';
import { LIMITS } from './limits.ts';
import type { Place } from './place.ts';
import type { Recorder } from './recorder.ts';
import { type Loaded, load, readTimings, settle, type Visit, type VisitOptions } from './visit.ts';

/** A page in whose load something happened to the path, and what it took to have the page whole. */
export interface CompleteVisit extends Visit {
  breaks: {
    /** Requests that broke, or hung when the page was reloaded because nothing came any more. */
    brokenRequests: number;
    /** How often the page was reloaded, and how often of these because nothing came. */
    reloads: number;
    stalls: number;
    /** From the start of the first navigation to the load event of the last; null: it never was whole. */
    completeMs: number | null;
  };
}

/**
 * Sends a tab to a page on whose path something is to happen, and reloads the page as a user would as long as that breaks it: at once
 * where requests broke, after some seconds where nothing comes any more. Timings are those of the first navigation.
 * @param eventMs when it happens, after the first navigation begins
 * @param loaded called when the first navigation has come to its load event, or is given up
 */
export async function loadUntilComplete(
  place: Place,
  recorder: Recorder,
  options: VisitOptions,
  eventMs: number,
  loaded: () => void,
): Promise<CompleteVisit> {
  const breaks = { brokenRequests: 0, reloads: 0, stalls: 0 };
  let first: Visit['timings'] | undefined;
  for (let from = 0; ; from = recorder.events.length) {
    const isReload = options.isReload || breaks.reloads > 0;
    const navigation = navigationOf(recorder, from, eventMs);
    const ended = await loadOrBreak(place, navigation, { ...options, isReload });
    if (breaks.reloads === 0) loaded();
    const settled = isBroken(ended, navigation) ? null : await settle(place, ended);
    if (settled !== null && !isBroken({ recorder, failure: settled.failure }, navigation)) {
      const { timings } = settled;
      const completeMs = timings?.loadEventEndMs == null ? null : navigation.beganAfterMs() + timings.loadEventEndMs;
      return { ...settled, timings: first === undefined ? timings : first, breaks: { ...breaks, completeMs } };
    }
    const { broken, underWay } = navigation.requests();
    const isStalled = ended.failure?.code === 'page-broken' && broken === 0;
    breaks.brokenRequests += broken + (isStalled ? underWay : 0);
    breaks.stalls += Number(isStalled);
    if (first === undefined) first = settled?.timings ?? (await readTimings(place.tab.session));
    if (breaks.reloads === LIMITS.mostReloads) {
      const { events } = recorder;
      return { events, timings: first, failure: STILL_BROKEN, breaks: { ...breaks, completeMs: null } };
    }
    breaks.reloads += 1;
  }
}

const STILL_BROKEN: Failure = {
  code: 'page-broken',
  message: `The page was still broken after ${LIMITS.mostReloads} reloads: what happened to the path left it without some of its resources.`,
};
