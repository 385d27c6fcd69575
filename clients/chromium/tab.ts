import type { Browser, CDPSession } from 'puppeteer-core';
import type { Device } from '../../ground/records/device.ts';
import { showFramesOn, showOn } from './device.ts';
import { dismissDialogs } from './dialogs.ts';

/** A Chromium tab with its own session; its Page domain is enabled, and its dialogs are closed. */
export interface Tab {
  targetId: string;
  session: CDPSession;
  /** Emulated; absent: the desktop. */
  device?: Device;
}

/** A session of the browser. Its SharedWorkers stay paused until the session's listeners have sent their first commands. */
export async function rootSession(browser: Browser): Promise<CDPSession> {
  const root = await browser.target().createCDPSession();
  root.on('Target.attachedToTarget', ({ sessionId, waitingForDebugger }) => {
    if (!waitingForDebugger) return;
    const held = root.connection()?.session(sessionId);
    setImmediate(() => held?.send('Runtime.runIfWaitingForDebugger').catch(() => {}));
  });
  const held = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
  await Promise.all([
    // Keeps Puppeteer from attaching to pages and workers, which it would resume at once.
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

/** The tab that the browser started with. */
export async function firstTab(root: CDPSession, device?: Device): Promise<Tab> {
  const { targetInfos } = await root.send('Target.getTargets');
  const first = targetInfos.find(({ type }) => type === 'page');
  if (!first) throw new Error('it has no tab');
  return attachOn(root, first.targetId, device);
}

/** Opens an empty tab in a browser context; absent: in the default context. */
export async function openTab(
  root: CDPSession,
  browserContextId?: string,
  device?: Device,
): Promise<Tab> {
  const { targetId } = await root.send('Target.createTarget', {
    url: 'about:blank',
    ...(browserContextId === undefined ? {} : { browserContextId }),
  });
  return attachOn(root, targetId, device);
}

/** Opens an empty tab, then closes another one with its process and its page's memory caches. */
export async function replaceTab(root: CDPSession, old: Tab, context?: string): Promise<Tab> {
  const fresh = await openTab(root, context, old.device);
  await root.send('Target.closeTarget', { targetId: old.targetId });
  return fresh;
}

/** Attaches a new session, without earlier events, to an unchanged tab. */
export async function attachAnew(
  root: CDPSession,
  { targetId, session, device }: Tab,
): Promise<Tab> {
  await root.send('Target.detachFromTarget', { sessionId: session.id() });
  return attach(root, targetId, device);
}

/** Attaches to a fresh tab. Its device has a session of its own, which stays when another one records the tab. */
async function attachOn(root: CDPSession, targetId: string, device?: Device): Promise<Tab> {
  if (device) await showOn({ session: await sessionOf(root, targetId), root, device });
  return attach(root, targetId, device);
}

/** Avoids Puppeteer's own pages, which send many more commands than a load needs. */
async function attach(root: CDPSession, targetId: string, device?: Device): Promise<Tab> {
  const session = await sessionOf(root, targetId);
  dismissDialogs(session);
  await session.send('Page.enable');
  if (device) await showFramesOn({ session, root, device });
  return { targetId, session, ...(device && { device }) };
}

async function sessionOf(root: CDPSession, targetId: string): Promise<CDPSession> {
  const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true });
  const session = root.connection()?.session(sessionId);
  if (!session) throw new Error('its tab was closed at once');
  return session;
}
