import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, CDPSession } from 'puppeteer-core';
import { readThreadTimes, threadTimeMs } from '../../ground/host/threads.ts';
import type { ClientRecord } from '../../ground/records/observation.ts';
import type { Protocol } from '../../ground/records/protocol.ts';
import { type BrowserOptions, closeChromium, startBrowser } from './chromium.ts';
import type { Failure } from './failure.ts';
import { LIMITS } from './limits.ts';
import { keyLogFileIn, makeProfile, netLogFileIn } from './profile.ts';
import { rootSession } from './tab.ts';

/** A server whose pages a browser is to load, and nothing else. */
export interface PageServer {
  stack: { stack: string; protocol: Protocol };
  /** Host to `ip:port`. */
  origins: Readonly<Record<string, string>>;
  /** Base64 SHA-256 of the server's public keys. */
  spkiPins: readonly string[];
  /** Of a page of the live web (BrowserOptions). */
  live?: BrowserOptions['live'];
}

/** How the browsers of a run are started, whatever they load. */
export type BrowserSettings = Pick<BrowserOptions, 'chromium' | 'enter' | 'tlsMost' | 'signal'> & {
  /** Takes the NetLog of a browser that has ended, by the browser's id; left out: none is written. */
  keepNetLog?: (id: string, netLogFile: string) => Promise<void>;
};

/** A browser that has come to rest after its start. */
export interface RunningBrowser {
  browser: Browser;
  root: CDPSession;
  pid: number;
  keyLogFile: string;
  /** Resolves when it ends though nobody asked it to. */
  broken: Promise<Failure>;
  /** What is known of it when it makes its next load. */
  aboutNextLoad(): ClientRecord;
  /** Ends it and removes its profile. */
  close(): Promise<void>;
}

let started = 0;

/**
 * Starts a browser for the pages of one server, and waits until it is at rest.
 * @throws Error when it does not start, or ends at once; nothing is left of it then.
 */
export async function runBrowser(
  { stack, origins, spkiPins, live }: PageServer,
  { keepNetLog, ...settings }: BrowserSettings & Pick<BrowserOptions, 'forcesQuic'>,
): Promise<RunningBrowser> {
  const profile = await makeProfile();
  const id = `${stack.stack}.${++started}`;
  const netLogFile = keepNetLog ? netLogFileIn(profile.folder) : null;
  let browser: Browser | null = null;
  const close = async () => {
    if (browser) await closeChromium(browser);
    if (browser && netLogFile !== null) await keepNetLog?.(id, netLogFile);
    await profile.remove();
  };
  try {
    const keyLogFile = keyLogFileIn(profile.folder);
    const startedMs = performance.now();
    browser = await startBrowser({
      ...settings,
      origins,
      spkiPins,
      ...(live && { live }),
      keyLogFile,
      protocol: stack.protocol,
      profileFolder: profile.folder,
      netLogFile,
    });
    const broken = untilEnd(browser);
    const root = await rootSession(browser);
    const pid = browser.process()?.pid ?? 0;
    await waitForStartUp(pid);
    let loads = 0;
    return {
      browser,
      root,
      pid,
      keyLogFile,
      broken,
      close,
      aboutNextLoad: () => ({ id, attemptsBefore: loads++, ageMs: performance.now() - startedMs }),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function untilEnd(browser: Browser): Promise<Failure> {
  return new Promise((resolve) => {
    browser.once('disconnected', () =>
      resolve({ code: 'browser-failed', message: 'Chromium ended during the load.' }),
    );
  });
}

/**
 * Waits until a Chromium that has just been started is done with itself. For a good while it builds its window with all the
 * processor it can get; a page that is loaded meanwhile measures that, not the network: its load times vary three
 * times as much.
 */
export async function waitForStartUp(browserPid: number): Promise<void> {
  const { intervalMs, quietIntervals, quietShare, limitMs } = LIMITS.startUp;
  const endMs = performance.now() + limitMs;
  let before = readThreadTimes([browserPid]);
  let beforeMs = performance.now();
  let quiet = 0;
  while (quiet < quietIntervals && performance.now() < endMs) {
    await sleep(intervalMs);
    const now = readThreadTimes([browserPid]);
    const nowMs = performance.now();
    const usedMs = before && now ? threadTimeMs(before, now) : 0;
    quiet = usedMs <= quietShare * (nowMs - beforeMs) ? quiet + 1 : 0;
    before = now;
    beforeMs = nowMs;
  }
}
