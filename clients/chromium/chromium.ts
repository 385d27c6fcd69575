import type { ChildProcess } from 'node:child_process';
import puppeteer, { type Browser } from 'puppeteer-core';
import { withDeadline } from '../../ground/system/deadline.ts';
import { dropRights, type ProgramNeeds } from '../../ground/system/unprivileged-user.ts';
import { BrowserHungError } from '../browser-hung.ts';
import { LIMITS } from '../browser-limits.ts';
import { nameServerCommand, usesNameServer } from '../name-server.ts';
import { folderAroundProfile, temporaryFilesIn } from '../profile-files.ts';
import { chromiumFlags, type FlagsInput } from './flags.ts';
import type { LiveProtocol } from './live-flags.ts';
import { hasSandbox } from './sandbox.ts';

export type BrowserOptions = FlagsInput & {
  /** How to load a page of the live web; `freely`: with Chromium's defaults; absent: a page of the bench's servers. */
  live?: Pick<LiveProtocol, 'quicHosts'> | 'freely';
  chromium: string;
  /** Command prefix that runs Chromium where the servers are reachable. */
  enter: readonly string[];
  /** Kills the browser. */
  signal?: AbortSignal;
};

/** Starts a fresh Chromium on a profile; closeChromium() ends it. */
export async function startBrowser(options: BrowserOptions): Promise<Browser> {
  return launch(await chromiumCommand(options), options.signal ?? NEVER);
}

/** Command that starts Chromium on a profile, as words for `env` or a shell; writes required files into the profile. */
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
 * Chromium with some flags, unprivileged and sandboxed as far as this machine allows, after the prefix that enters its namespace.
 * @param names prefix that selects the name server, which needs privileges; absent: none
 * @param home absent: the user's own
 */
function commandWithoutRights(
  chromium: string,
  {
    flags,
    names = [],
    home,
    ...needs
  }: ProgramNeeds & { flags: readonly string[]; names?: readonly string[]; home?: string },
): string[] {
  const dropped = dropRights(chromium, needs);
  return [
    ...names,
    ...dropped,
    ...(home === undefined ? [] : ['env', `HOME=${home}`]),
    chromium,
    ...(hasSandbox(dropped) ? [] : ['--no-sandbox']),
    ...flags,
  ];
}

/**
 * Command that starts Chromium with some flags on a profile in the machine's own network, as words for `env`.
 * @param home absent: the user's own
 */
export function commandOnMachine(
  chromium: string,
  profileFolder: string,
  flags: readonly string[],
  home?: string,
): [environment: string, ...command: string[]] {
  return [
    temporaryFilesIn(profileFolder),
    ...commandWithoutRights(chromium, {
      flags,
      ...(home !== undefined && { home }),
      reads: [folderAroundProfile(profileFolder)],
    }),
  ];
}

/**
 * Starts Chromium, passes the browser on, and always ends it.
 * @param closeMs time to close before it is killed
 * @param signal kills the browser; its reason is thrown
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
    // Puppeteer needs a path; env finds the program that enters the namespace.
    executablePath: '/usr/bin/env',
    // A pipe keeps DevTools traffic off the network.
    pipe: true,
    ignoreDefaultArgs: true,
    args: [...command],
    waitForInitialPage: false,
    // Pages fill their window.
    defaultViewport: null,
    // Callers set limits of their own.
    protocolTimeout: 0,
    // Kills all the browser's processes.
    signal: AbortSignal.any([signal, hung.signal]),
    // The command line handles signals.
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

/** Closes cleanly so that servers see their connections end; kills a browser that does not close. */
export async function closeChromium(
  browser: Browser,
  closeMs: number = LIMITS.browserCloseMs,
): Promise<void> {
  const child = browser.process();
  const closed = browser.close().catch(() => {
    // The browser crashed, or its pipe is broken.
  });
  await withDeadline(closed, closeMs, () => {});
  killGroup(child?.pid);
  if (child) await waitForExit(child);
}

/** Waits a limited time for the process to end. */
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
    // The process has ended.
  }
}
