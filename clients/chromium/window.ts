import type { Browser } from 'puppeteer-core';
import { MachineError } from '../../ground/system/errors.ts';
import { ExitError } from '../../ground/system/exit-status.ts';
import { LIMITS } from '../browser-limits.ts';
import { type BrowserOptions, chromiumCommand, waitForExit, withChromium } from './chromium.ts';
import { isHeadlessShell } from './headless-shell.ts';
import { assertScreen } from './screen.ts';

type WindowOptions = Omit<BrowserOptions, 'hasWindow'> & {
  /** Alternative on a machine without a screen, as a sentence. */
  instead: string;
};

/**
 * Opens Chromium's window, passes the browser on, waits until the user closes the window, and always ends the browser.
 * @param use may end before the window closes
 * @throws MachineError without a screen, or if Chromium opens no window or crashes; the signal's reason
 */
export async function withWindow(
  { instead, ...options }: WindowOptions,
  use: (browser: Browser) => Promise<void> = async () => {},
): Promise<void> {
  const { chromium, signal } = options;
  if (isHeadlessShell(chromium)) {
    throw new MachineError(
      `${chromium} is a headless shell, which opens no windows. Set CHROMIUM_PATH to a full Chromium. ${instead}`,
    );
  }
  await assertScreen(instead);
  const command = await chromiumCommand({ ...options, hasWindow: true });
  let opened = false;
  const untilClosed = async (browser: Browser) => {
    opened = true;
    const closed = new Promise((resolve) => browser.once('disconnected', resolve));
    try {
      await Promise.race([use(browser), closed]);
    } catch (error) {
      // The user may close the window meanwhile.
      if (browser.connected) throw error;
    }
    await closed;
    await assertEndedWell(browser);
  };
  try {
    await withChromium(command, LIMITS.browserCloseMs, untilClosed, signal);
  } catch (error) {
    if (opened || error instanceof ExitError) throw error;
    throw new MachineError(`Chromium opened no window: ${complaintIn(error as Error)} ${instead}`);
  }
}

async function assertEndedWell(browser: Browser): Promise<void> {
  const child = browser.process();
  if (child) await waitForExit(child);
  const end = child?.signalCode ?? child?.exitCode ?? 0;
  if (end !== 0) throw new MachineError(`Chromium crashed: it ended with ${end}.`);
}

/** Chromium's own error among the lines that Puppeteer passes on. */
function complaintIn({ message }: Error): string {
  const complaints = [...message.matchAll(/:ERROR:[^\]]*\] (.+)/g)].map(([, words]) => words);
  return complaints.length > 0 ? complaints.join(' ') : (message.split('\n', 1)[0] as string);
}
