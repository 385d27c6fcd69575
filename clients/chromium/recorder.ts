import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Protocol } from 'puppeteer-core';
import { bodyCounter } from './har/body-counter.ts';
import { type CdpEvent, NETWORK_EVENTS, PAGE_EVENTS } from './har/events.ts';
import type { LoadContext } from './load-context.ts';

/** Records events of a page, its cross-site frames and workers, and tracks pending requests. */
export interface Recorder {
  /** In order of arrival. */
  events: CdpEvent[];
  /** Whether no request is pending and no frame or worker is paused. */
  isQuiet(): boolean;
  /** Resolves when pending requests have received nothing for `silentMs`, from now on. */
  stalled(silentMs: number, signal: AbortSignal): Promise<void>;
  /** Resolves when no request has been pending for `quietMs`, from now on; false: `limitMs` ended first. */
  quiet(quietMs: number, limitMs: number): Promise<boolean>;
  /** Decoded body of a response; null: Chromium has discarded it. */
  bodyOf(requestId: string): Promise<Protocol.Network.GetResponseBodyResponse | null>;
}

/** Fields that the events of a request have. */
type RequestEvent = Protocol.Network.ResponseReceivedEvent & Protocol.Network.DataReceivedEvent;

type AttachedEvent = Protocol.Target.AttachedToTargetEvent;

/** Where to record: the page's tab, and its browser context for SharedWorkers. */
export type RecordedTab = Pick<LoadContext, 'root' | 'browserContextId'> & {
  tab: Pick<LoadContext['tab'], 'session'>;
};

/**
 * Records a page from before its navigation until its session is detached. Its Page domain must be enabled.
 * @param script JavaScript to run before the page's own in every document and worker; null: none
 */
export async function startRecorder(
  { tab: { session }, root, browserContextId }: RecordedTab,
  script: string | null,
): Promise<Recorder> {
  const events: CdpEvent[] = [];
  /** Pending requests with their document; paused frames and workers with null. */
  const underWay = new Map<string, Pick<RequestEvent, 'loaderId' | 'type'> | null>();
  let mainFrameId: string | undefined;
  /** The session that last reported a request or response. */
  const reportedBy = new Map<string, CDPSession>();
  /** Pending requests whose response has begun. */
  const bodies = new Map<string, ReturnType<typeof bodyCounter>>();
  let lastChangeMs = performance.now();

  const begin = ({ requestId, loaderId, frameId, type }: RequestEvent) => {
    underWay.set(requestId, { loaderId, type });
    if (type === 'Document') mainFrameId ??= frameId;
  };

  /** A page's pending requests may never end after it navigates away. */
  const leaveDocuments = (nextLoaderId: string) => {
    for (const [id, request] of underWay) {
      if (request !== null && request.loaderId !== nextLoaderId) underWay.delete(id);
    }
  };

  /** Chromium reports no end of XSLT style sheets, but more events of the transformed document after its end. */
  const endTransformation = (documentId: string) => {
    if (underWay.has(documentId)) return;
    // Further events with this id belong to the transformed document.
    reportedBy.delete(documentId);
    for (const [id, request] of underWay) {
      if (request?.loaderId === documentId && request.type === 'Stylesheet') underWay.delete(id);
    }
  };

  const isOver = (name: string, params: RequestEvent): boolean => {
    const { requestId, loaderId, frameId, type, response } = params;
    if (name === 'Network.loadingFinished' || name === 'Network.loadingFailed') return true;
    if (name === 'Network.responseReceived') {
      if (type === 'Document' && frameId === mainFrameId) leaveDocuments(loaderId);
      bodies.set(requestId, bodyCounter(response.headers));
    }
    const body = bodies.get(requestId);
    if (name === 'Network.dataReceived') {
      body?.receive(params);
      endTransformation(requestId);
    }
    return body?.isComplete() ?? false;
  };

  const listen = (to: CDPSession, names: readonly string[]) => {
    for (const name of names) {
      to.on(name, (event) => {
        const params = event as { requestId?: string };
        events.push({ method: name, params });
        if (params.requestId === undefined) return;
        lastChangeMs = performance.now();
        if (name === 'Network.requestWillBeSent') begin(params as RequestEvent);
        if (REQUEST_REPORTS.includes(name)) reportedBy.set(params.requestId, to);
        if (isOver(name, params as RequestEvent)) {
          underWay.delete(params.requestId);
          bodies.delete(params.requestId);
        }
      });
    }
  };

  // Frames of other sites and workers have their own processes and sessions. They stay paused until their network
  // is observed, including that of their own frames and workers.
  const prepare = async (to: CDPSession, type: string) => {
    listen(to, NETWORK_EVENTS);
    to.on('Target.attachedToTarget', prepareChild);
    // In parallel: a paused target answers some of these only after the last one resumes it.
    await Promise.all([
      ...(script === null ? [] : [runFirst(to, type, script)]),
      to.send('Network.enable', { maxPostDataSize: MAX_POST_DATA_BYTES }),
      to.send('Target.setAutoAttach', {
        autoAttach: true,
        waitForDebuggerOnStart: true,
        flatten: true,
      }),
      to.send('Runtime.runIfWaitingForDebugger'),
    ]);
  };

  const prepareChild = ({ sessionId, targetInfo }: AttachedEvent) => {
    const child = session.connection()?.session(sessionId);
    if (!child) return;
    // A paused target has not sent its requests.
    underWay.set(sessionId, null);
    prepare(child, targetInfo.type)
      .catch(() => {}) // The target has ended.
      .finally(() => {
        underWay.delete(sessionId);
        lastChangeMs = performance.now();
      });
  };

  // The browser attaches SharedWorkers, but not to a page, since several pages may share them.
  const prepareSharedWorker = (attached: AttachedEvent) => {
    const { type, browserContextId: id } = attached.targetInfo;
    const isOwn = browserContextId === undefined || id === browserContextId;
    if (type === 'shared_worker' && isOwn) prepareChild(attached);
  };
  const stop = ({ sessionId }: Protocol.Target.DetachedFromTargetEvent) => {
    if (sessionId !== session.id()) return;
    root.off('Target.attachedToTarget', prepareSharedWorker);
    root.off('Target.detachedFromTarget', stop);
  };
  root.on('Target.attachedToTarget', prepareSharedWorker);
  root.on('Target.detachedFromTarget', stop);

  listen(session, PAGE_EVENTS);
  await Promise.all([
    prepare(session, 'page'),
    // A service worker would intercept requests, above all on repeat visits.
    session.send('Network.setBypassServiceWorker', { bypass: true }),
  ]);

  return {
    events,
    isQuiet: () => underWay.size === 0,
    async stalled(silentMs, signal) {
      const beganMs = performance.now();
      for (;;) {
        const silentForMs = performance.now() - Math.max(beganMs, lastChangeMs);
        if (underWay.size > 0 && silentForMs >= silentMs) return;
        const waitMs = underWay.size > 0 ? silentMs - silentForMs : silentMs;
        await sleep(waitMs, null, { signal });
      }
    },
    async quiet(quietMs, limitMs) {
      const beganMs = performance.now();
      const endMs = beganMs + limitMs;
      for (;;) {
        const nowMs = performance.now();
        const quietAtMs = Math.max(beganMs, lastChangeMs) + quietMs;
        const waitMs = underWay.size > 0 ? quietMs : quietAtMs - nowMs;
        if (waitMs <= 0) return true;
        if (nowMs >= endMs) return false;
        await new Promise((resolve) => setTimeout(resolve, Math.min(waitMs, endMs - nowMs)));
        // Processes events that arrived while this program had no processor time.
        await new Promise(setImmediate);
      }
    },
    async bodyOf(requestId) {
      const body = reportedBy.get(requestId)?.send('Network.getResponseBody', { requestId });
      return (await body?.catch(() => null)) ?? null;
    },
  };
}

const REQUEST_REPORTS = ['Network.requestWillBeSent', 'Network.responseReceived'];

/** A worker has no future documents: the script runs at once, while the worker is paused. */
function runFirst(session: CDPSession, type: string, script: string): Promise<unknown> {
  if (type !== 'page' && type !== 'iframe') {
    return session.send('Runtime.evaluate', { expression: script });
  }
  return Promise.all([
    // Frames of other sites run such scripts only with an enabled Page domain.
    session.send('Page.enable'),
    session.send('Page.addScriptToEvaluateOnNewDocument', { source: script, runImmediately: true }),
  ]);
}

// Enough to show any form or beacon in the HAR.
const MAX_POST_DATA_BYTES = 65_536;
