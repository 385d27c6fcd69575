import type { ChildProcess } from 'node:child_process';
import puppeteer, { type Browser } from 'puppeteer-core';
import { rejectOnAbort } from '../aborted.ts';
import { DEFAULTS } from '../defaults.ts';
import { within } from '../within.ts';
import { chromiumFlags, type FlagsInput } from './flags.ts';
import { temporaryFilesIn } from './profile.ts';

/** What a browser is started with. */
export type BrowserOptions = Omit<FlagsInput, 'asRoot'> & {
  /** The Chromium binary. */
  chromium: string;
  /** What to put before the command so that Chromium runs where the servers can be reached. */
  enter: readonly string[];
  /** Whatever goes on is broken off and the browser killed when it is aborted. */
  signal?: AbortSignal;
};

/** Starts a fresh Chromium on a profile, hands it on, and ends it whatever happens. */
export async function withBrowser<T>(
  options: BrowserOptions,
  use: (browser: Browser) => Promise<T>,
): Promise<T> {
  const asRoot = process.getuid?.() === 0;
  const command = [
    temporaryFilesIn(options.profileFolder),
    ...options.enter,
    ...[options.chromium, ...chromiumFlags({ ...options, asRoot })],
  ];
  return withChromium(command, DEFAULTS.browserCloseMs, use, options.signal);
}

/**
 * Runs a command that starts Chromium, hands the browser on, and ends it whatever happens.
 * @param closeMs a browser that has not closed by then is killed
 * @param signal when it is aborted, the browser is killed at once and the signal's reason thrown
 */
export async function withChromium<T>(
  command: readonly string[],
  closeMs: number,
  use: (browser: Browser) => Promise<T>,
  signal: AbortSignal = NEVER,
): Promise<T> {
  signal.throwIfAborted();
  const aborted = rejectOnAbort(signal);
  aborted.catch(() => {});
  const browser = await Promise.race([launch(command, signal), aborted]);
  try {
    return await Promise.race([use(browser), aborted]);
  } finally {
    await close(browser, closeMs);
  }
}

const NEVER = new AbortController().signal;

function launch(command: readonly string[], signal: AbortSignal): Promise<Browser> {
  return puppeteer.launch({
    // Puppeteer wants a path; env finds the program that leads into the namespace.
    executablePath: '/usr/bin/env',
    // A pipe, so that the control channel is no part of any network.
    pipe: true,
    ignoreDefaultArgs: true,
    args: [...command],
    waitForInitialPage: false,
    // Whoever waits for an answer knows how long it may take: a page may be as slow as it likes.
    protocolTimeout: 0,
    // Kills the browser with all its processes.
    signal,
    // Signals are the command line's business.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

/** Closes in good order, so that servers see their connections end; kills what does not close, or is left. */
async function close(browser: Browser, closeMs: number): Promise<void> {
  const child = browser.process();
  const closed = browser.close().catch(() => {
    // It crashed, or its pipe is broken: there is nothing left to ask.
  });
  await within(closed, closeMs);
  killGroup(child?.pid);
  if (child) await ended(child);
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await within(new Promise((resolve) => child.once('exit', resolve)), DEFAULTS.browserCloseMs);
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}
