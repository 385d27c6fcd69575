import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Protocol } from 'puppeteer-core';
import { bodyCounter } from './har/body-counter.ts';
import { type CdpEvent, NETWORK_EVENTS, PAGE_EVENTS } from './har/events.ts';
import type { LoadContext } from './load-context.ts';

/** Keeps the events of a page, of its cross-site frames and of its workers, and knows when the network is quiet. */
export interface Recorder {
  /** In the order they came. */
  events: CdpEvent[];
  /** Whether no request is under way, nor a frame or worker held. */
  isQuiet(): boolean;
  /** Resolves when from now on nothing has come of requests that are under way for so long. */
  stalled(silentMs: number, signal: AbortSignal): Promise<void>;
  /** Resolves when from now on no request has been under way for `quietMs`, or after `limitMs`. */
  quiet(quietMs: number, limitMs: number): Promise<void>;
  /** The decoded body of a response; null: Chromium no longer has it. */
  bodyOf(requestId: string): Promise<Protocol.Network.GetResponseBodyResponse | null>;
}

/** Those of its fields that an event of a request has. */
type RequestEvent = Protocol.Network.ResponseReceivedEvent & Protocol.Network.DataReceivedEvent;

type AttachedEvent = Protocol.Target.AttachedToTargetEvent;

/** Where a page is recorded: in its tab, and for its SharedWorkers in its browser context. */
export type RecordedTab = Pick<LoadContext, 'root' | 'browserContextId'> & {
  tab: Pick<LoadContext['tab'], 'session'>;
};

/**
 * Starts recording a page whose Page domain is enabled, before it is navigated, until its session is detached.
 * @param script JavaScript to run in every document and worker before the page's own; null: none
 */
export async function startRecorder(
  { tab: { session }, root, browserContextId }: RecordedTab,
  script: string | null,
): Promise<Recorder> {
  const events: CdpEvent[] = [];
  /** Requests with the document that they belong to, and frames and workers that are held with null. */
  const underWay = new Map<string, Pick<RequestEvent, 'loaderId' | 'type'> | null>();
  let mainFrameId: string | undefined;
  /** Which session last reported a request or its response. */
  const reportedBy = new Map<string, CDPSession>();
  /** Of the requests under way whose response has begun. */
  const bodies = new Map<string, ReturnType<typeof bodyCounter>>();
  let lastChangeMs = performance.now();

  const begin = ({ requestId, loaderId, frameId, type }: RequestEvent) => {
    underWay.set(requestId, { loaderId, type });
    if (type === 'Document') mainFrameId ??= frameId;
  };

  /** What a document had under way that the page has left may never be heard of again. */
  const leaveDocuments = (nextLoaderId: string) => {
    for (const [id, request] of underWay) {
      if (request !== null && request.loaderId !== nextLoaderId) underWay.delete(id);
    }
  };

  /** Chromium reports no end of style sheets (XSLT), but more of the document that they have transformed, though it had ended. */
  const endTransformation = (documentId: string) => {
    if (underWay.has(documentId)) return;
    // Its body is that of the new document from now on.
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

  // Frames of other sites and workers live in processes of their own and have sessions of their own. They are
  // held until their network is listened to, and theirs in turn.
  const prepare = async (to: CDPSession, type: string) => {
    listen(to, NETWORK_EVENTS);
    to.on('Target.attachedToTarget', prepareChild);
    // All at once: what is held answers some of these only when it is let go by the last.
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
    // What is held has yet to ask for what it needs.
    underWay.set(sessionId, null);
    prepare(child, targetInfo.type)
      .catch(() => {}) // It is gone already.
      .finally(() => {
        underWay.delete(sessionId);
        lastChangeMs = performance.now();
      });
  };

  // SharedWorkers may belong to several pages: the browser attaches them, but to no page.
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
    // A worker of its own would stand between the page and the servers, on repeat visits above all.
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
        if (waitMs <= 0 || nowMs >= endMs) return;
        await new Promise((resolve) => setTimeout(resolve, Math.min(waitMs, endMs - nowMs)));
        // What came while this program had no processor is heard first.
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

/** A worker has no documents to come: there the script runs at once, while the worker is held. */
function runFirst(session: CDPSession, type: string, script: string): Promise<unknown> {
  if (type !== 'page' && type !== 'iframe') {
    return session.send('Runtime.evaluate', { expression: script });
  }
  return Promise.all([
    // Frames of other sites run no such script while their Page domain is off.
    session.send('Page.enable'),
    session.send('Page.addScriptToEvaluateOnNewDocument', { source: script, runImmediately: true }),
  ]);
}

// Enough for any form or beacon to be seen in the HAR.
const MAX_POST_DATA_BYTES = 65_536;
