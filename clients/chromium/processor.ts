import { type CDPSession, CDPSessionEvent } from 'puppeteer-core';

/**
 * Makes the main threads of a tab and its frames take `factor` times as long, until the returned function is called. Chromium interrupts a
 * slowed thread even when it is idle, which takes half a core, so nothing else may be measured meanwhile.
 */
export async function slowProcessor(tab: CDPSession, factor: number): Promise<() => void> {
  if (factor === 1) return () => {};
  const slowed: CDPSession[] = [];
  let rate = factor;
  const slow = (session: CDPSession) => {
    slowed.push(session);
    session.on(CDPSessionEvent.SessionAttached, (child) => {
      // Fails for closed targets, and for workers, which DevTools cannot slow.
      slow(child).catch(() => {});
    });
    return session.send('Emulation.setCPUThrottlingRate', { rate });
  };
  await slow(tab);
  return () => {
    rate = 1;
    for (const session of slowed) {
      // Fails when it has closed. A stuck page never answers.
      session.send('Emulation.setCPUThrottlingRate', { rate }).catch(() => {});
    }
  };
}
