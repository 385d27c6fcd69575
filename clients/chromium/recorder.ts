import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession } from 'puppeteer-core';
import { type CdpEvent, NETWORK_EVENTS, PAGE_EVENTS } from './har/events.ts';

/** Keeps the events of a page and of its cross-site frames, and knows when the network is quiet. */
export interface Recorder {
  /** In the order they came. */
  events: CdpEvent[];
  /** Whether no request is under way, nor a frame or worker held. */
  isQuiet(): boolean;
  /** Resolves when from now on nothing has come of requests that are under way for so long. */
  stalled(silentMs: number, signal: AbortSignal): Promise<void>;
  /** Resolves when no request has been under way for `quietMs`, or after `limitMs`. */
  quiet(quietMs: number, limitMs: number): Promise<void>;
}

/**
 * Starts recording on a page's session whose Page domain is enabled, before the page is navigated.
 * @param script JavaScript to run in every document and worker before the page's own; null: none
 */
export async function startRecorder(session: CDPSession, script: string | null): Promise<Recorder> {
  const events: CdpEvent[] = [];
  const underWay = new Set<string>();
  let lastChangeMs = performance.now();

  const listen = (to: CDPSession, names: readonly string[]) => {
    for (const name of names) {
      to.on(name, (event) => {
        const params = event as { requestId?: string };
        events.push({ method: name, params });
        if (params.requestId === undefined) return;
        lastChangeMs = performance.now();
        if (name === 'Network.requestWillBeSent') underWay.add(params.requestId);
        if (name === 'Network.loadingFinished' || name === 'Network.loadingFailed') {
          underWay.delete(params.requestId);
        }
      });
    }
  };

  // Frames of other sites and workers live in processes of their own and have sessions of their own. They are
  // held until their network is listened to, and theirs in turn.
  const prepare = async (to: CDPSession, type: string) => {
    listen(to, NETWORK_EVENTS);
    to.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
      const child = to.connection()?.session(sessionId);
      if (!child) return;
      // What is held has yet to ask for what it needs.
      underWay.add(sessionId);
      prepare(child, targetInfo.type)
        .catch(() => {}) // It is gone already.
        .finally(() => {
          underWay.delete(sessionId);
          lastChangeMs = performance.now();
        });
    });
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
      const endMs = performance.now() + limitMs;
      for (;;) {
        const nowMs = performance.now();
        const waitMs = underWay.size > 0 ? quietMs : lastChangeMs + quietMs - nowMs;
        if (waitMs <= 0 || nowMs >= endMs) return;
        await new Promise((resolve) => setTimeout(resolve, Math.min(waitMs, endMs - nowMs)));
      }
    },
  };
}

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
