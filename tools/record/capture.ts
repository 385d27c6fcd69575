import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, CDPSession, Protocol } from 'puppeteer-core';
import { LIMITS } from '../../clients/browser-limits.ts';
import { commandOnMachine, withChromium } from '../../clients/chromium/chromium.ts';
import { deviceFlags, showFramesOn, showOn } from '../../clients/chromium/device.ts';
import { dismissDialogs } from '../../clients/chromium/dialogs.ts';
import { untilCrash, untilLoadEvent } from '../../clients/chromium/ending.ts';
import type { CdpEvent } from '../../clients/chromium/har/events.ts';
import { exchangesOf } from '../../clients/chromium/har/exchanges.ts';
import { netLogLines } from '../../clients/chromium/net-log/lines.ts';
import { withProfile } from '../../clients/chromium/profile.ts';
import { withinProfileLimit } from '../../clients/chromium/profile-limit.ts';
import { startRecorder } from '../../clients/chromium/recorder.ts';
import { rootSession } from '../../clients/chromium/tab.ts';
import { trustAuthorities } from '../../clients/chromium/trusted-authorities.ts';
import { deterministicPageScript } from '../../clients/deterministic-page.ts';
import type { Failure } from '../../clients/load-failure.ts';
import { timeout } from '../../clients/load-failure.ts';
import type { Device } from '../../ground/records/device.ts';
import { withDeadline } from '../../ground/system/deadline.ts';
import { type LoadExchanges, loadExchanges, netLogAnswers } from './exchanges.ts';

export interface CaptureOptions {
  chromium: string;
  /** Chromium's command line for a profile and a log. */
  flags: (profileFolder: string, netLogFile: string) => string[];
  url: string;
  device: Device;
  scroll: boolean;
  /** Seconds until a page without load event counts as failed. */
  timeoutS: number;
  /** Seconds after the load event (and scrolling) to wait for a quiet network. */
  waitS: number;
  /** PEM file of further authorities to trust; absent: Chromium's own alone. */
  trust?: string;
  signal?: AbortSignal;
  /** Largest profile on disk, in bytes; default: that of any load. */
  mostBytes?: number;
}

export interface Capture extends LoadExchanges {
  /** Why the page fired no load event; null: it did. */
  failure: Failure | null;
  /** null: no document received. */
  document: Pick<Protocol.Network.Response, 'url' | 'status' | 'mimeType'> | null;
  startedAt: string;
  /** null: the page fired no load event. */
  loadedAt: string | null;
  /** Number of requests in flight when the browser ended. */
  unfinished: number;
  /** Whether the page had stopped making requests. */
  isQuiet: boolean;
}

/** Adds the bytes of bodies to the NetLog. */
const EVERYTHING = '--net-log-capture-mode=Everything';

/** A page is complete after this long without requests. */
const QUIET_MS = 2_000;

/**
 * Loads a page in a new browser and keeps every response. Replaces Math.random() and Date as in measured loads, and bypasses service
 * workers, so that the network sees each request.
 */
export async function capture(options: CaptureOptions): Promise<Capture> {
  const { chromium, flags, trust, signal } = options;
  signal?.throwIfAborted();
  return withProfile(async (profileFolder) => {
    const netLogFile = path.join(profileFolder, 'net-log.json');
    if (trust !== undefined) await trustAuthorities(profileFolder, trust);
    const command = commandOnMachine(
      chromium,
      profileFolder,
      [EVERYTHING, ...deviceFlags(options.device), ...flags(profileFolder, netLogFile)],
      trust && profileFolder,
    );
    const loaded = await withinProfileLimit(
      { folder: profileFolder, url: options.url, signal },
      (within) =>
        withChromium(command, LIMITS.browserCloseMs, (browser) => load(browser, options), within),
      options.mostBytes,
    );
    const seen = exchangesOf(loaded.events);
    const answers = await netLogAnswers(netLogLines(netLogFile));
    const { exchanges, notes } = loadExchanges(seen, answers);
    return {
      exchanges,
      notes: [...loaded.notes, ...notes],
      failure: loaded.failure,
      document:
        seen.findLast(
          ({ request, response }) =>
            response !== null && request.type === 'Document' && request.frameId === loaded.frameId,
        )?.response ?? null,
      startedAt: loaded.startedAt,
      isQuiet: loaded.isQuiet,
      loadedAt: loaded.loadedAt,
      unfinished: seen.filter(
        ({ redirected, finished, failed }) => !redirected && finished === null && failed === null,
      ).length,
    };
  });
}

interface LoadResult
  extends Pick<Capture, 'failure' | 'startedAt' | 'loadedAt' | 'notes' | 'isQuiet'> {
  events: CdpEvent[];
  frameId: string;
}

async function load(browser: Browser, options: CaptureOptions): Promise<LoadResult> {
  const { url, device, scroll, timeoutS, waitS } = options;
  const tab = await browser.waitForTarget((target) => target.type() === 'page');
  const session = await tab.createCDPSession();
  dismissDialogs(session);
  await session.send('Page.enable');
  const { frameTree } = await session.send('Page.getFrameTree');
  const root = await rootSession(browser);
  await showOn({ session, root, device });
  await showFramesOn({ session, root, device });
  const recorder = await startRecorder({ tab: { session }, root }, deterministicPageScript());
  const startedAt = new Date().toISOString();
  const ending = Promise.race([untilLoadEvent(session, url), untilCrash(session)]);
  const failure = await withDeadline(ending, timeoutS * 1000, () => timeout(timeoutS));
  const notes: string[] = [];
  const loadedAt = failure === null ? new Date().toISOString() : null;
  let isQuiet = true;
  if (failure === null) {
    isQuiet = await recorder.quiet(QUIET_MS, waitS * 1000);
    if (scroll) {
      if (!(await scrollThrough(session))) {
        notes.push('the page grew while it was scrolled: scrolling stopped after 100 screens');
      }
      isQuiet = await recorder.quiet(QUIET_MS, waitS * 1000);
    }
  }
  return {
    failure,
    startedAt,
    loadedAt,
    notes,
    isQuiet,
    events: recorder.events,
    frameId: frameTree.frame.id,
  };
}

/** Ends the scrolling of endless pages. */
const MAX_STEPS = 100;
/** Lazy content starts to load within a frame or two. */
const STEP_MS = 150;

/** Scrolls to the end of the page screen by screen, and back. False: the end was not reached in 100 screens. */
async function scrollThrough(session: CDPSession): Promise<boolean> {
  let atEnd = false;
  for (let step = 0; step < MAX_STEPS && !atEnd; step++) {
    atEnd = await evaluate(session, STEP_DOWN);
    await sleep(STEP_MS);
    // New content may have moved the end.
    if (atEnd) atEnd = await evaluate(session, IS_AT_END);
  }
  await evaluate(session, TO_TOP);
  return atEnd;
}

async function evaluate(session: CDPSession, expression: string): Promise<boolean> {
  const { result } = await session.send('Runtime.evaluate', { expression, returnByValue: true });
  return result.value === true;
}

const IS_AT_END = 'scrollY + innerHeight >= document.documentElement.scrollHeight - 2';
const STEP_DOWN = `scrollBy({ top: innerHeight, behavior: 'instant' }), ${IS_AT_END}`;
const TO_TOP = `scrollTo({ top: 0, behavior: 'instant' })`;
