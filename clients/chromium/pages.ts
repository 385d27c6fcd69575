import type { Isolation } from '../../ground/records/run.ts';
import type {
  PageContext,
  PagePool,
  PageRecord,
  PageVisit,
  ReceivedResponse,
  VisitOptions,
  WatchedPage,
} from '../page-context.ts';
import { contextPoolFor } from './context-pool.ts';
import { DIALOG_OPENED } from './dialogs.ts';
import { makeEarlierLoad } from './earlier-load.ts';
import { startTrace } from './film/trace.ts';
import { buildHar } from './har/build.ts';
import type { CdpEvent } from './har/events.ts';
import { exchangesOf } from './har/exchanges.ts';
import type { ContextPool, LoadContext } from './load-context.ts';
import { slowProcessor } from './processor.ts';
import type { Recorder } from './recorder.ts';
import type { BrowserSettings, PageServer } from './running-browser.ts';
import { loadUntilComplete } from './until-complete.ts';
import { load, settle, type Visit, waitForPaint, watchTab } from './visit.ts';

/** Pages in Chromium, from any of a site's servers. */
export function chromiumPages(
  isolation: Isolation,
  servers: readonly PageServer[],
  settings: BrowserSettings,
): PagePool {
  return pagesIn(contextPoolFor(isolation, servers, settings));
}

/** Pages in the contexts of a pool. */
export function pagesIn(pool: ContextPool): PagePool {
  return {
    get isWorn() {
      return pool.isWorn;
    },
    open: async (stack, visit) => pageIn(await pool.open(stack, visit)),
    close: () => pool.close(),
  };
}

function pageIn(context: LoadContext): PageContext {
  const { about, browserPid, keyLogFile, keyLogFromByte } = context;
  return {
    about,
    browserPid,
    keyLogFile,
    keyLogFromByte,
    leave: () => context.leave(),
    async watch(options) {
      return watchedPage(context, await watchTab(context, options), options);
    },
    async loadEarlier(visit) {
      const earlier = await makeEarlierLoad(context, visit);
      if ('code' in earlier) return earlier;
      const { tab, events, returnProtocols } = earlier;
      return { at: pageIn({ ...context, tab }), record: recordOf(events), returnProtocols };
    },
  };
}

function watchedPage(context: LoadContext, recorder: Recorder, options: VisitOptions): WatchedPage {
  const { session } = context.tab;
  return {
    load: async () => (await load(context, recorder, options)).failure,
    isQuiet: () => recorder.isQuiet(),
    waitForPaint: () => waitForPaint(context),
    settle: async (failure) => visitOf(await settle(context, { recorder, failure })),
    responses: () => responsesIn(recorder),
    slow: (times) => slowProcessor(session, times),
    startTrace: () => startTrace(session),
    async loadUntilComplete(eventMs, loaded) {
      const visited = await loadUntilComplete(context, recorder, options, eventMs, loaded);
      return { ...visitOf(visited), breaks: visited.breaks };
    },
  };
}

function visitOf({ events, timings, failure }: Visit): PageVisit {
  return { record: recordOf(events), timings, failure };
}

function recordOf(events: readonly CdpEvent[]): PageRecord {
  const fired = events.findLast(({ method }) => method === 'Page.loadEventFired');
  return {
    makeHar: (about) => buildHar(events, about),
    loadedMs: fired ? 1000 * (fired.params as { timestamp: number }).timestamp : null,
    dialogs: events.filter(({ method }) => method === DIALOG_OPENED).length,
  };
}

function responsesIn({ events, bodyOf }: Recorder): ReceivedResponse[] {
  return exchangesOf(events).flatMap(({ request, response, finished, data }) => {
    if (finished === null || response === null) return [];
    const { requestId } = request;
    const { method, url } = request.request;
    const bytes = data.reduce((sum, { dataLength }) => sum + dataLength, 0);
    const { status, charset } = response;
    return [{ method, url, status, bytes, charset, readBody: () => bodyOf(requestId) }];
  });
}
