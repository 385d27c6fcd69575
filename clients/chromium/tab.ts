import type { Browser, CDPSession } from 'puppeteer-core';
import { dismissDialogs } from './dialogs.ts';

/** A tab of Chromium with a session of its own, whose Page domain is enabled and whose dialogs are closed. */
export interface Tab {
  targetId: string;
  session: CDPSession;
}

/** A session of the browser itself, with its SharedWorkers: each is held until what listens here has sent its first commands. */
export async function rootSession(browser: Browser): Promise<CDPSession> {
  const root = await browser.target().createCDPSession();
  root.on('Target.attachedToTarget', ({ sessionId, waitingForDebugger }) => {
    if (!waitingForDebugger) return;
    const held = root.connection()?.session(sessionId);
    setImmediate(() => held?.send('Runtime.runIfWaitingForDebugger').catch(() => {}));
  });
  const held = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
  await Promise.all([
    // Puppeteer lets what it is attached to go at once.
    root.connection()?.send('Target.setAutoAttach', {
      ...held,
      filter: [
        ...['page', 'shared_worker', 'service_worker'].map((type) => ({ type, exclude: true })),
        {},
      ],
    }),
    root.send('Target.setAutoAttach', { ...held, filter: [{ type: 'shared_worker' }] }),
  ]);
  return root;
}

/** The tab that a browser has had since its start. */
export async function firstTab(root: CDPSession): Promise<Tab> {
  const { targetInfos } = await root.send('Target.getTargets');
  const first = targetInfos.find(({ type }) => type === 'page');
  if (!first) throw new Error('it has no tab');
  return attach(root, first.targetId);
}

/** Opens an empty tab, in a context of the browser or else in its profile. */
export async function openTab(root: CDPSession, browserContextId?: string): Promise<Tab> {
  const { targetId } = await root.send('Target.createTarget', {
    url: 'about:blank',
    ...(browserContextId === undefined ? {} : { browserContextId }),
  });
  return attach(root, targetId);
}

/** Opens an empty tab beside another and closes that, with its process and the caches in memory of the page that it held. */
export async function replaceTab(root: CDPSession, old: Tab, context?: string): Promise<Tab> {
  const fresh = await openTab(root, context);
  await root.send('Target.closeTarget', { targetId: old.targetId });
  return fresh;
}

/** Leaves a tab as it is, and gives it another session, which has heard of nothing. */
export async function attachAnew(root: CDPSession, { targetId, session }: Tab): Promise<Tab> {
  await root.send('Target.detachFromTarget', { sessionId: session.id() });
  return attach(root, targetId);
}

/** Not by Puppeteer's own pages, which ask the browser for much more than a load needs. */
async function attach(root: CDPSession, targetId: string): Promise<Tab> {
  const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true });
  const session = root.connection()?.session(sessionId);
  if (!session) throw new Error('its tab was closed at once');
  dismissDialogs(session);
  await session.send('Page.enable');
  return { targetId, session };
}
