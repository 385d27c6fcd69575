import { setTimeout as sleep } from 'node:timers/promises';
import { brokenRequests, documentRequest } from './broken-requests.ts';
import type { Ending } from './ending.ts';
import type { Failure } from './failure.ts';
import { LIMITS } from './limits.ts';
import type { Place } from './place.ts';
import type { Recorder } from './recorder.ts';
import { load, readTimings, settle, type Visit, type VisitOptions } from './visit.ts';

/** What became of a page on whose path something happened. */
export interface Breaks {
  /** Requests that broke, and those that hung where nothing came any more. */
  brokenRequests: number;
  /** How often the page was reloaded, and how often of these because nothing came. */
  reloads: number;
  stalls: number;
  /** From the start of the first navigation to the load event of the last; null: the page never was whole. */
  completeMs: number | null;
}

/** Where a page is not to be waited for any longer. */
const BROKEN: Failure = {
  code: 'page-broken',
  message: `The page was broken, and still was after ${LIMITS.mostReloads} reloads: after what happened to the path some of its requests came to no end.`,
};

/**
 * Sends a tab to a page on whose path something is to happen, and reloads the page as a user would where that breaks it: at once if
 * requests broke, after some seconds if nothing comes any more. Timings are those of the first navigation.
 * @param eventMs when it happens, after the first navigation began
 * @param loaded called when that has come to its load event, or is given up
 */
export async function loadUntilComplete(
  place: Place,
  recorder: Recorder,
  options: VisitOptions,
  eventMs: number,
  loaded: () => void,
): Promise<Visit & { breaks: Breaks }> {
  const { events } = recorder;
  const breaks: Breaks = { brokenRequests: 0, reloads: 0, stalls: 0, completeMs: null };
  let timings: Visit['timings'] = null;
  for (let from = 0; ; from = events.length) {
    const isFirst = breaks.reloads === 0;
    const requests = () => {
      const eventS = beganS(recorder) + eventMs / 1000;
      return brokenRequests(events.slice(from), eventS);
    };
    const ended = await withBreak(
      place,
      () => requests().document,
      () => sleep(isFirst ? eventMs : 0).then(() => recorder.stalled(LIMITS.patienceMs)),
      (broken) => load(place, recorder, { ...options, isReload: options.isReload || !isFirst }, broken),
    );
    if (isFirst) loaded();
    const isOver = ended.failure !== null && ended.failure !== BROKEN && requests().broken === 0;
    const isWhole = ended.failure === null && requests().broken === 0;
    if (isOver || isWhole) {
      const settled = await settle(place, ended);
      if (isFirst) ({ timings } = settled);
      if (isOver || requests().broken === 0) {
        const endMs = settled.timings?.loadEventEndMs ?? null;
        const startMs = 1000 * (beganS(recorder, from) - beganS(recorder));
        const completeMs = settled.failure || endMs === null ? null : startMs + endMs;
        return { ...settled, timings, breaks: { ...breaks, completeMs } };
      }
    } else if (isFirst) timings = await readTimings(place.tab.session);
    const { broken, underWay } = requests();
    breaks.brokenRequests += broken || underWay;
    breaks.stalls += Number(broken === 0);
    if (breaks.reloads === LIMITS.mostReloads) return { events, timings, failure: BROKEN, breaks };
    breaks.reloads += 1;
  }
}
