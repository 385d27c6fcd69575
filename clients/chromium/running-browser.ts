import type { Browser, CDPSession } from 'puppeteer-core';
import type { ClientRecord } from '../../ground/records/observation.ts';
import type { Protocol } from '../../ground/records/protocol.ts';
import type { Failure } from '../load-failure.ts';
import { keyLogFileIn } from '../profile-files.ts';
import { waitForStartUp } from '../start-up.ts';
import { type BrowserOptions, closeChromium, startBrowser } from './chromium.ts';
import { makeProfile, netLogFileIn } from './profile.ts';
import { rootSession } from './tab.ts';

/** A server, the only one whose pages a browser loads. */
export interface PageServer {
  stack: { stack: string; protocol: Protocol; quicVersion?: 2 };
  /** Host to `ip:port`. */
  origins: Readonly<Record<string, string>>;
  /** Base64 SHA-256 of the server's public keys. */
  spkiPins: readonly string[];
  /** Hosts without HTTP/3 (FlagsInput). */
  http2Hosts?: readonly string[];
  /** Binary of the browser that loads its pages; absent: that of the settings. */
  chromium?: string;
  /** For a page of the live web (BrowserOptions). */
  live?: BrowserOptions['live'];
}

export type BrowserSettings = Pick<
  BrowserOptions,
  'chromium' | 'enter' | 'tlsMost' | 'device' | 'signal'
> & {
  /** Keeps the NetLog of an ended browser, by the browser's id; absent: no NetLog. */
  keepNetLog?: (id: string, netLogFile: string) => Promise<void>;
};

/** A started, idle browser. */
export interface RunningBrowser {
  browser: Browser;
  root: CDPSession;
  pid: number;
  keyLogFile: string;
  /** Resolves if the browser ends unexpectedly. */
  broken: Promise<Failure>;
  /** Its state before its next load. */
  aboutNextLoad(): ClientRecord;
  /** Ends the browser and removes its profile. */
  close(): Promise<void>;
}

let started = 0;

/**
 * Starts a browser for the pages of one server, and waits until it is idle.
 * @throws Error if it does not start, or ends at once; cleans up first
 */
export async function runBrowser(
  { stack, origins, spkiPins, http2Hosts, live, chromium }: PageServer,
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
      ...(chromium !== undefined && { chromium }),
      origins,
      spkiPins,
      ...(http2Hosts && { http2Hosts }),
      ...(live && { live }),
      keyLogFile,
      protocol: stack.protocol,
      ...(stack.quicVersion && { quicVersion: stack.quicVersion }),
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
