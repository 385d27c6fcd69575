import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'puppeteer-core';
import { LIMITS } from '../../../clients/browser-limits.ts';
import { commandOnMachine, withChromium } from '../../../clients/chromium/chromium.ts';
import { liveFlags } from '../../../clients/chromium/live-flags.ts';
import { netLogLines } from '../../../clients/chromium/net-log/lines.ts';
import { readRefusals } from '../../../clients/chromium/net-log/refusals.ts';
import { netLogFileIn, withProfile } from '../../../clients/chromium/profile.ts';
import { withinProfileLimit } from '../../../clients/chromium/profile-limit.ts';
import { firstTab, rootSession } from '../../../clients/chromium/tab.ts';
import type { Refusals } from '../../../clients/refusals.ts';
import { authorityText } from '../../../ground/options/hosts.ts';
import { withDeadline } from '../../../ground/system/deadline.ts';
import { shellLine } from '../../../ground/system/shell-word.ts';
import type { Origin } from './origin.ts';

/**
 * How a browser starts: unmodified; with the server's certificates accepted, also for QUIC; and with QUIC forced, without TCP. Each
 * mode only removes obstacles to HTTP/3 that the one before has.
 */
export const MODES = ['as-is', 'accepted', 'forced'] as const;
export type Mode = (typeof MODES)[number];

export interface PageLoads extends Refusals {
  /** Protocol of the document in each load: h3, h2, http/1.1; empty without a response. */
  protocols: string[];
  /** The browser's error of the last load (ERR_UNSAFE_PORT); null: it succeeded. */
  error: string | null;
  /** Settings by which the browser never uses QUIC; absent: they are not in the browser. */
  forbidding?: string[];
}

/** The first load receives Alt-Svc; by the third a QUIC connection is usually ready. */
const USUAL_LOADS = 3;
/** A QUIC handshake still pending after this many loads is not waited for. */
const MAX_LOADS = 6;
const HANDSHAKE_MS = 2_000;
/** Address changes of this machine abort a load; it is repeated, as Chromium does in a window, at most this often. */
const MAX_INTERRUPTIONS = 3;
const INTERRUPTED = 'net::ERR_NETWORK_CHANGED';
export const BETWEEN_LOADS_MS = 300;
export const LOAD_LIMIT_MS = 15_000;

/** How a browser loads the page. */
export interface LoadSettings {
  way: Mode;
  /** Accepted in all modes but the first. */
  pins: readonly string[];
  /** PEM file of authorities that only Firefox can be given; null: none. */
  authorities: string | null;
  signal: AbortSignal;
}

/** Loads a page in a Chromium with a fresh profile, until HTTP/3 is used or no longer expected. */
export async function loadInChromium(
  chromium: string,
  origin: Origin,
  { way, pins, signal }: LoadSettings,
): Promise<PageLoads> {
  return withProfile(async (profileFolder) => {
    const netLogFile = netLogFileIn(profileFolder);
    const command = commandOnMachine(chromium, profileFolder, [
      ...modeFlags(origin, way, pins),
      ...liveFlags({ profileFolder, netLogFile }),
    ]);
    const loaded = await withinProfileLimit(
      { folder: profileFolder, url: origin.url, signal },
      (within) =>
        withChromium(
          command,
          LIMITS.browserCloseMs,
          (browser) => load(browser, origin, netLogFile),
          within,
        ),
    );
    return { ...loaded, ...(await refusalsIn(netLogFile, origin)) };
  });
}

function refusalsIn(netLogFile: string, { host }: Origin): Promise<Refusals> {
  return readRefusals(netLogLines(netLogFile), host);
}

/** A port other than the origin's exempts its host from the rule about authorities without forcing QUIC. */
const UNUSED_PORT = 1;

export function modeFlags(origin: Origin, mode: Mode, pins: readonly string[]): string[] {
  const { host, port, resolve } = origin;
  const name = host.includes(':') ? `[${host}]` : host;
  const ip = resolve?.includes(':') ? `[${resolve}]` : resolve;
  return [
    ...(ip === null ? [] : [`--host-resolver-rules=MAP ${name} ${ip}`]),
    ...(mode === 'as-is' || pins.length === 0
      ? []
      : [`--ignore-certificate-errors-spki-list=${pins.join(',')}`]),
    ...(mode === 'as-is'
      ? []
      : [`--origin-to-force-quic-on=${name}:${mode === 'forced' ? port : UNUSED_PORT}`]),
  ];
}

export function commandLineOf(origin: Origin, mode: Mode, pins: readonly string[]): string {
  return `chromium --user-data-dir=$(mktemp -d) ${shellLine([...modeFlags(origin, mode, pins), origin.url])}`;
}

export function isHttp3({ protocols }: PageLoads): boolean {
  return protocols.includes('h3');
}

async function load(
  browser: Browser,
  origin: Origin,
  netLogFile: string,
): Promise<Pick<PageLoads, 'protocols' | 'error'>> {
  const { session } = await firstTab(await rootSession(browser));
  await session.send('Network.enable');
  const base = new URL(`https://${authorityText(origin)}`).origin;
  let interruptions = 0;
  const loadOnce = async (): Promise<OneLoad> => {
    let protocol = '';
    // Only the first response of the origin counts; a redirect may lead to another origin.
    const take = (response?: { url: string; protocol?: string }) => {
      if (response && new URL(response.url).origin === base) protocol ||= response.protocol ?? '';
    };
    const onRequest = (event: { redirectResponse?: { url: string; protocol?: string } }) =>
      take(event.redirectResponse);
    const onResponse = (event: { response: { url: string; protocol?: string } }) =>
      take(event.response);
    session.on('Network.requestWillBeSent', onRequest);
    session.on('Network.responseReceived', onResponse);
    const navigated = session.send('Page.navigate', { url: origin.url });
    const { errorText } = await withDeadline(navigated, LOAD_LIMIT_MS, () => ({
      errorText: 'net::ERR_TIMED_OUT',
    }));
    await sleep(BETWEEN_LOADS_MS);
    session.off('Network.requestWillBeSent', onRequest);
    session.off('Network.responseReceived', onResponse);
    if (errorText === INTERRUPTED && protocol === '' && interruptions++ < MAX_INTERRUPTIONS) {
      return loadOnce();
    }
    return { protocol, error: (errorText ?? 'no answer').replace('net::', '') };
  };
  return repeatLoad(loadOnce, async () => (await refusalsIn(netLogFile, origin)).hasQuic);
}

interface OneLoad {
  /** Empty without a response. */
  protocol: string;
  /** The browser's error without a response. */
  error: string | null;
}

/** Loads a page until HTTP/3 is used, no longer expected, or the page fails. */
export async function repeatLoad(
  loadOnce: () => Promise<OneLoad>,
  hasQuic: () => Promise<boolean>,
): Promise<Pick<PageLoads, 'protocols' | 'error'>> {
  const protocols: string[] = [];
  while (protocols.length < MAX_LOADS) {
    if (protocols.length >= USUAL_LOADS) {
      if (!(await hasQuic())) break;
      await sleep(HANDSHAKE_MS);
    }
    const { protocol, error } = await loadOnce();
    protocols.push(protocol);
    if (protocol === 'h3') break;
    if (protocol === '') return { protocols, error };
  }
  return { protocols, error: null };
}
