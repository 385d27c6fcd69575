import puppeteer, { type Browser } from 'puppeteer-core';
import { DEFAULTS } from '../defaults.ts';
import { chromiumFlags, type FlagsInput } from './flags.ts';

/** What a browser is started with. */
export type BrowserOptions = Omit<FlagsInput, 'asRoot'> & {
  /** The Chromium binary. */
  chromium: string;
  /** What to put before the command so that Chromium runs where the servers can be reached. */
  enter: readonly string[];
  signal?: AbortSignal;
};

/** Starts a fresh Chromium on a profile, hands it on, and ends it whatever happens. */
export async function withBrowser<T>(
  options: BrowserOptions,
  use: (browser: Browser) => Promise<T>,
): Promise<T> {
  options.signal?.throwIfAborted();
  const asRoot = process.getuid?.() === 0;
  const command = [...options.enter, options.chromium, ...chromiumFlags({ ...options, asRoot })];
  return withChromium(command, DEFAULTS.browserCloseMs, use);
}

/**
 * Runs a command that starts Chromium, hands the browser on, and ends it whatever happens.
 * @param closeMs a browser that has not closed by then is killed
 */
export async function withChromium<T>(
  command: readonly string[],
  closeMs: number,
  use: (browser: Browser) => Promise<T>,
): Promise<T> {
  const browser = await puppeteer.launch({
    // Puppeteer wants a path; env finds the program that leads into the namespace.
    executablePath: '/usr/bin/env',
    // A pipe, so that the control channel is no part of any network.
    pipe: true,
    ignoreDefaultArgs: true,
    args: [...command],
    waitForInitialPage: false,
    // Signals are the command line's business.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  try {
    return await use(browser);
  } finally {
    await close(browser, closeMs);
  }
}

/** Closes in good order, so that servers see their connections end; kills what does not close. */
async function close(browser: Browser, closeMs: number): Promise<void> {
  const child = browser.process();
  const timer = setTimeout(() => killGroup(child?.pid), closeMs);
  try {
    await browser.close();
  } catch {
    // It crashed, or its pipe is broken: there is nothing left to ask.
    killGroup(child?.pid);
  } finally {
    clearTimeout(timer);
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
