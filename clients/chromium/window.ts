import type { Browser } from 'puppeteer-core';
import { MachineError } from '../../ground/system/errors.ts';
import { ExitError } from '../../ground/system/exit-status.ts';
import { type BrowserOptions, chromiumCommand, waitForExit, withChromium } from './chromium.ts';
import { isHeadlessShell } from './headless-shell.ts';
import { LIMITS } from './limits.ts';
import { assertScreen } from './screen.ts';

/** A window of Chromium that a person looks at. */
type WindowOptions = Omit<BrowserOptions, 'hasWindow'> & {
  /** What to do on a machine without a screen, as a sentence. */
  instead: string;
};

/**
 * Opens Chromium's window, hands the browser on, waits until the person closes it, and always ends it.
 * @param use its end is not the window's
 * @throws MachineError without a screen, or when Chromium opens no window or crashes; the signal's reason
 */
export async function withWindow(
  { instead, ...options }: WindowOptions,
  use: (browser: Browser) => Promise<void> = async () => {},
): Promise<void> {
  const { chromium, signal } = options;
  if (isHeadlessShell(chromium)) {
    throw new MachineError(
      `${chromium} is a headless shell, which opens no windows. Let CHROMIUM_PATH name a whole Chromium. ${instead}`,
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
      // A window that is closed meanwhile is no news.
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

/** What Chromium itself complained of, out of the many lines that Puppeteer hands on. */
function complaintIn({ message }: Error): string {
  const complaints = [...message.matchAll(/:ERROR:[^\]]*\] (.+)/g)].map(([, words]) => words);
  return complaints.length > 0 ? complaints.join(' ') : (message.split('\n', 1)[0] as string);
}
