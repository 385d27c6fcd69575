import puppeteer, { type Browser } from 'puppeteer-core';
import { DEFAULTS } from '../defaults.ts';

/**
 * Starts Chromium with a NetLog that holds everything, bytes of bodies included; hands it on, and ends it whatever happens. The log
 * is whole only then.
 * @param flags with `--log-net-log`
 */
export async function withCapturingBrowser<T>(
  chromium: string,
  flags: readonly string[],
  use: (browser: Browser) => Promise<T>,
): Promise<T> {
  const browser = await puppeteer.launch({
    executablePath: chromium,
    pipe: true,
    ignoreDefaultArgs: true,
    // First of all: the flags end with the page to begin at.
    args: ['--net-log-capture-mode=Everything', ...flags],
    waitForInitialPage: false,
    // Signals are the command line's business.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  try {
    return await use(browser);
  } finally {
    const pid = browser.process()?.pid;
    // The log may be long: it is given more time than a measured load's.
    const timer = setTimeout(() => killGroup(pid), 4 * DEFAULTS.browserCloseMs);
    try {
      await browser.close();
    } catch {
      killGroup(pid); // It crashed: there is nothing left to ask.
    } finally {
      clearTimeout(timer);
    }
  }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}
