import type { ChildProcess } from 'node:child_process';
import puppeteer, { type Browser } from 'puppeteer-core';
import { withDeadline } from '../../ground/system/deadline.ts';
import { dropRights, type ProgramNeeds } from '../../ground/system/unprivileged-user.ts';
import { chromiumFlags, type FlagsInput } from './flags.ts';
import { LIMITS } from './limits.ts';
import type { LiveProtocol } from './live-flags.ts';
import { nameServerCommand, usesNameServer } from './name-server.ts';
import { folderAroundProfile, temporaryFilesIn } from './profile.ts';
import { hasSandbox } from './sandbox.ts';

/** What a browser is started with. */
export type BrowserOptions = FlagsInput & {
  /** How a page of the live web is loaded; `freely`: as Chromium would by itself; left out: pages of servers of the bench are. */
  live?: Pick<LiveProtocol, 'quicHosts'> | 'freely';
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
  const { profileFolder, live, protocol, hasWindow = false } = options;
  const flags =
    live === undefined
      ? chromiumFlags(options)
      : (await import('./live-flags.ts')).liveFlags(
          options,
          live === 'freely' ? undefined : { ...live, protocol },
        );
  const screen = hasWindow ? await import('./screen.ts') : null;
  const names = usesNameServer(options)
    ? await nameServerCommand(folderAroundProfile(profileFolder))
    : [];
  return [
    temporaryFilesIn(profileFolder),
    ...(screen ? await screen.screenKeyIn(folderAroundProfile(profileFolder)) : []),
    ...options.enter,
    ...commandWithoutRights(options.chromium, {
      flags,
      names,
      enter: options.enter,
      reads: [folderAroundProfile(profileFolder), ...(screen?.screenSockets() ?? [])],
    }),
  ];
}

/**
 * Chromium with some flags, without rights and in its sandbox as far as this machine allows; what leads it to where it is to
 * be run stands before that.
 * @param names what has it ask a name server of its own, which needs rights; left out: nothing does
 */
function commandWithoutRights(
  chromium: string,
  {
    flags,
    names = [],
    ...needs
  }: ProgramNeeds & { flags: readonly string[]; names?: readonly string[] },
): string[] {
  const dropped = dropRights(chromium, needs);
  return [
    ...names,
    ...dropped,
    chromium,
    ...(hasSandbox(dropped) ? [] : ['--no-sandbox']),
    ...flags,
  ];
}

/** What starts Chromium with some flags on a profile on the machine's own network, as words for `env`. */
export function commandOnMachine(
  chromium: string,
  profileFolder: string,
  flags: readonly string[],
): [environment: string, ...command: string[]] {
  return [
    temporaryFilesIn(profileFolder),
    ...commandWithoutRights(chromium, { flags, reads: [folderAroundProfile(profileFolder)] }),
  ];
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
    return await withDeadline(
      use(browser),
      Number.POSITIVE_INFINITY,
      throwImpossibleTimeout,
      signal,
    );
  } finally {
    await closeChromium(browser, closeMs);
  }
}

function throwImpossibleTimeout(): never {
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
  if (child) await waitForExit(child);
}

/** Waits until its process has ended, or does not seem to end. */
export async function waitForExit(child: ChildProcess): Promise<void> {
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
