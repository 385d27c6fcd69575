import type { ChildProcess } from 'node:child_process';
import puppeteer, { type Browser } from 'puppeteer-core';
import { withDeadline } from '../../system/deadline.ts';
import { chromiumFlags, type FlagsInput } from './flags.ts';
import { LIMITS } from './limits.ts';
import { type LiveBy, liveFlags } from './live-flags.ts';
import { askingForNames, asksForNames } from './names.ts';
import { temporaryFilesIn } from './profile.ts';

/** What a browser is started with. */
export type BrowserOptions = Omit<FlagsInput, 'asRoot'> & {
  /** How a page of the live web is loaded; `freely`: as Chromium would by itself; left out: pages of servers of the bench are. */
  live?: Pick<LiveBy, 'quicHosts'> | 'freely';
  /** The Chromium binary. */
  chromium: string;
  /** What to put before the command so that Chromium runs where the servers can be reached. */
  enter: readonly string[];
  /** The browser is killed when it is aborted. */
  signal?: AbortSignal;
};

/** Starts a fresh Chromium on a profile; closeChromium() ends it. */
export async function startBrowser(options: BrowserOptions): Promise<Browser> {
  return launch(await chromiumCommand(options), options.signal ?? NEVER);
}

/** What starts Chromium on a profile, as words for `env` or a shell; files that it needs are written into the profile. */
export async function chromiumCommand(
  options: Omit<BrowserOptions, 'signal'>,
): Promise<[environment: string, ...command: string[]]> {
  const { profileFolder, live, protocol } = options;
  const asRoot = process.getuid?.() === 0;
  const flags =
    live === undefined
      ? chromiumFlags({ ...options, asRoot })
      : liveFlags({ ...options, asRoot }, live === 'freely' ? undefined : { ...live, protocol });
  return [
    temporaryFilesIn(profileFolder),
    ...options.enter,
    ...(asksForNames(options) ? await askingForNames(profileFolder) : []),
    options.chromium,
    ...flags,
  ];
}

/** Starts a fresh Chromium on a profile, hands it on, and always ends it. */
export async function withBrowser<T>(
  options: BrowserOptions,
  use: (browser: Browser) => Promise<T>,
): Promise<T> {
  const browser = await startBrowser(options);
  try {
    return await use(browser);
  } finally {
    await closeChromium(browser);
  }
}

/**
 * Runs a command that starts Chromium, hands the browser on, and always ends it.
 * @param closeMs a browser that has not closed by then is killed
 * @param signal when it is aborted, the browser is killed at once and the signal's reason thrown
 */
export async function withChromium<T>(
  command: readonly string[],
  closeMs: number,
  use: (browser: Browser) => Promise<T>,
  signal: AbortSignal = NEVER,
): Promise<T> {
  const browser = await launch(command, signal);
  try {
    return await withDeadline(use(browser), Number.POSITIVE_INFINITY, neverLate, signal);
  } finally {
    await closeChromium(browser, closeMs);
  }
}

function neverLate(): never {
  throw new Error('an endless deadline has passed');
}

const NEVER = new AbortController().signal;

async function launch(command: readonly string[], signal: AbortSignal): Promise<Browser> {
  signal.throwIfAborted();
  const hung = new AbortController();
  const launched = puppeteer.launch({
    // Puppeteer wants a path; env finds the program that leads into the namespace.
    executablePath: '/usr/bin/env',
    // A pipe, so that the control channel is no part of any network.
    pipe: true,
    ignoreDefaultArgs: true,
    args: [...command],
    waitForInitialPage: false,
    // Pages are as large as their window.
    defaultViewport: null,
    // Callers set their own limits: a page may take as long as it likes.
    protocolTimeout: 0,
    // Kills the browser with all its processes.
    signal: AbortSignal.any([signal, hung.signal]),
    // Signals are the command line's business.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  const late = () => {
    const error = new BrowserHungError('its start', LIMITS.browserStartMs);
    hung.abort(error);
    throw error;
  };
  return withDeadline(launched, LIMITS.browserStartMs, late, signal);
}

/** Chromium did not do in time what it does within seconds. */
export class BrowserHungError extends Error {
  override name = 'BrowserHungError';

  constructor(what: string, limitMs: number) {
    super(`Chromium hung: it had ${Math.round(limitMs / 1000)} s for ${what}, and was killed.`);
  }
}

/** Closes in good order, so that servers see their connections end; kills what does not close, or is left. */
export async function closeChromium(
  browser: Browser,
  closeMs: number = LIMITS.browserCloseMs,
): Promise<void> {
  const child = browser.process();
  const closed = browser.close().catch(() => {
    // It crashed, or its pipe is broken: there is nothing left to ask.
  });
  await withDeadline(closed, closeMs, () => {});
  killGroup(child?.pid);
  if (child) await ended(child);
}

/** Waits until its process has ended, or does not seem to end. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  await withDeadline(exit, LIMITS.browserCloseMs, () => {});
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}
