import { certificatesIn } from '../../ground/options/trust.ts';
import type { ClientRecord } from '../../ground/records/observation.ts';
import type { Protocol } from '../../ground/records/protocol.ts';
import { LINE_BYTES, textLines } from '../../ground/system/bounded-lines.ts';
import { type Child, startChild } from '../../ground/system/child-process.ts';
import { withDeadline } from '../../ground/system/deadline.ts';
import { readPlainTextSync } from '../../ground/system/plain-file.ts';
import { dropRights } from '../../ground/system/unprivileged-user.ts';
import { BrowserHungError } from '../browser-hung.ts';
import { LIMITS } from '../browser-limits.ts';
import { withFilesOfEtc } from '../etc-files.ts';
import type { Failure } from '../load-failure.ts';
import { nameServerCommand, usesNameServer } from '../name-server.ts';
import { folderAroundProfile, keyLogFileIn, temporaryFilesIn } from '../profile-files.ts';
import { waitForStartUp } from '../start-up.ts';
import { type BidiSession, connectBidi } from './bidi.ts';
import { OBSERVE_CHANNELS } from './channel-facts.ts';
import { type Preferences, preferencesFor } from './preferences.ts';
import { makeProfile } from './profile.ts';
import { evaluate } from './script.ts';
import { OBSERVE_WORKERS } from './worker-script.ts';

/** A server, the only one whose pages a Firefox loads. */
export interface FirefoxServer {
  stack: { stack: string; protocol: Protocol };
  /** Host to `ip:port`. */
  origins: Readonly<Record<string, string>>;
  /** Hosts without HTTP/3. */
  http2Hosts?: readonly string[];
  /** Binary of the browser that loads its pages. */
  firefox: string;
  /** PEM file of the authority that its certificates are from; absent: one that Firefox knows. */
  authority?: string;
}

export interface FirefoxSettings {
  /** Command prefix that runs Firefox where the servers are reachable. */
  enter: readonly string[];
  tlsMost?: '1.2' | '1.3';
  /** Preferences of a browser that loads any page, over the machine's own network; absent: the server's pages alone. */
  freely?: Preferences;
  /** Kills the browser. */
  signal?: AbortSignal;
}

/** A started, idle Firefox. */
export interface RunningFirefox {
  session: BidiSession;
  /** Evaluates JavaScript with all rights of the browser. */
  privileged<Value>(expression: string): Promise<Value>;
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
 * Starts a Firefox for the pages of one server, and waits until it is idle.
 * @param forcesQuic whether to use only QUIC with a server that offers HTTP/2 too
 * @throws Error if it does not start, or ends at once; cleans up first
 */
export async function runFirefox(
  { stack, origins, http2Hosts = [], firefox, authority }: FirefoxServer,
  { enter, tlsMost, freely, signal }: FirefoxSettings,
  forcesQuic = false,
): Promise<RunningFirefox> {
  const { protocol } = stack;
  const profile = await makeProfile(
    freely ??
      preferencesFor({
        protocol,
        forcesQuic,
        origins,
        http2Hosts,
        ...(tlsMost && { tlsMost }),
      }),
  );
  const id = `${stack.stack}.${++started}`;
  const startedMs = performance.now();
  let child: Child | null = null;
  let session: BidiSession | null = null;
  const kill = () => child?.stop(0);
  const close = async () => {
    signal?.removeEventListener('abort', kill);
    // Firefox ends its children before it ends itself.
    session?.send('browser.close').catch(() => {});
    if (session)
      await withDeadline(child?.ended ?? Promise.resolve(0), LIMITS.browserCloseMs, () => {});
    await child?.stop(0);
    await session?.close();
    await profile.remove();
  };
  try {
    signal?.throwIfAborted();
    const keyLogFile = keyLogFileIn(profile.folder);
    const command = await firefoxCommand(firefox, {
      folder: profile.folder,
      keyLogFile,
      enter,
      protocol,
      origins: freely ? null : origins,
    });
    const own = startChild('/usr/bin/env', command);
    child = own;
    signal?.addEventListener('abort', kill, { once: true });
    const start = async () => {
      const running = connectBidi(await portOf(own), enter);
      session = running;
      const privileged = await prepare(running, { authority, http2Hosts });
      await waitForStartUp(pid);
      return { session: running, privileged };
    };
    const late = () => {
      kill();
      throw new BrowserHungError('its start', LIMITS.browserStartMs);
    };
    const pid = own.process.pid ?? 0;
    const idle = await withDeadline(start(), LIMITS.browserStartMs, late, signal);
    let loads = 0;
    return {
      ...idle,
      pid,
      keyLogFile,
      broken: idle.session.ended.then((why) => ({ code: 'browser-failed', message: `${why}.` })),
      aboutNextLoad: () => ({ id, attemptsBefore: loads++, ageMs: performance.now() - startedMs }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Those of the network would slow loads. */
const EVENTS = [
  'browsingContext.contextCreated',
  'browsingContext.contextDestroyed',
  'browsingContext.load',
  'browsingContext.domContentLoaded',
  'browsingContext.navigationStarted',
  'browsingContext.navigationCommitted',
  'browsingContext.navigationFailed',
  'browsingContext.userPromptOpened',
];

/** Sets up a session; returns the function that evaluates JavaScript with all rights of the browser. */
async function prepare(
  session: BidiSession,
  { authority, http2Hosts = [] }: Pick<FirefoxServer, 'authority' | 'http2Hosts'>,
): Promise<RunningFirefox['privileged']> {
  const capabilities = { alwaysMatch: { unhandledPromptBehavior: DIALOGS } };
  await session.send('session.new', { capabilities });
  await session.send('session.subscribe', { events: EVENTS });
  const window = await windowOf(session);
  const privileged = <Value>(expression: string) => evaluate<Value>(session, window, expression);
  await privileged(OBSERVE_CHANNELS);
  await privileged(OBSERVE_WORKERS);
  if (authority !== undefined) await privileged(trusting(readPlainTextSync(authority)));
  await privileged(OPEN_ALT_SVC);
  if (http2Hosts.length > 0) await privileged(ignoringAltSvcOf(http2Hosts));
  return privileged;
}

/** As Chromium's dialogs: cancelled, but a page may be left. */
const DIALOGS = { default: 'dismiss', beforeUnload: 'accept' };

/** Command that starts Firefox on a profile, as words for `env`. */
async function firefoxCommand(
  firefox: string,
  {
    folder,
    keyLogFile,
    enter,
    protocol,
    origins,
  }: {
    folder: string;
    keyLogFile: string;
    enter: readonly string[];
    protocol: Protocol;
    /** null: any, over the machine's own network. */
    origins: FirefoxServer['origins'] | null;
  },
): Promise<string[]> {
  const around = folderAroundProfile(folder);
  return [
    temporaryFilesIn(folder),
    `SSLKEYLOGFILE=${keyLogFile}`,
    'MOZ_CRASHREPORTER_DISABLE=1',
    'MOZ_HEADLESS=1',
    // Allows the preference that names no server of settings.
    'MOZ_REMOTE_SETTINGS_DEVTOOLS=1',
    ...enter,
    ...(origins ? await namesCommand(around, { protocol, origins }) : []),
    ...dropRights(firefox, { enter, reads: [around] }),
    // Firefox does not start without one.
    'env',
    `HOME=${folder}`,
    firefox,
    '--no-remote',
    '--profile',
    folder,
    '--remote-debugging-port=0',
    // For what WebDriver BiDi lacks: connections, addresses, TLS, and closing connections.
    '--remote-allow-system-access',
    'about:blank',
  ];
}

/** Command prefix by which Firefox knows the addresses of a server's hosts. */
function namesCommand(
  around: string,
  served: Pick<FirefoxServer, 'origins'> & { protocol: Protocol },
): Promise<string[]> {
  return usesNameServer(served)
    ? nameServerCommand(around)
    : withFilesOfEtc(around, filesOfNames(served.origins));
}

/** Files of /etc by which the site's hosts have addresses, and no other host has one. */
function filesOfNames(origins: Readonly<Record<string, string>>): Record<string, string> {
  const hosts = Object.entries(origins).map(
    ([host, origin]) => `${origin.replace(/:\d+$/, '')} ${host.replace(/:\d+$/, '')}\n`,
  );
  return {
    hosts: `127.0.0.1 localhost\n${hosts.join('')}`,
    'nsswitch.conf': 'hosts: files\n',
    'resolv.conf': '',
  };
}

/** The port of Firefox's remote agent, which it prints. */
async function portOf({ process: { stdout, stderr }, ended }: Child): Promise<number> {
  if (!stdout || !stderr) throw new Error('a browser without pipes');
  const last: string[] = [];
  stdout.resume();
  const read = async () => {
    const limit = { maxBytes: LINE_BYTES.foreign, longer: 'cut' } as const;
    for await (const line of textLines(stderr, limit)) {
      const port = /^WebDriver BiDi listening on ws:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1];
      if (port !== undefined) resolve(Number(port));
      last.push(line.slice(0, 200));
      if (last.length > COMPLAINT_LINES) last.shift();
    }
  };
  const { promise: printed, resolve, reject } = Promise.withResolvers<number>();
  read().catch(reject);
  const early = ended.then((end) => {
    throw new Error(`it ended (${end}) before it was ready: ${last.join(' ')}`);
  });
  return Promise.race([printed, early]);
}

const COMPLAINT_LINES = 5;

/** Firefox's own window, whose scripts have all of its rights. */
async function windowOf(session: BidiSession): Promise<{ context: string }> {
  const tree = await session
    .send<{ contexts: { context: string }[] }>('browsingContext.getTree', { 'moz:scope': 'chrome' })
    .catch((error: Error) => {
      throw new Error(
        `it gives no access to its own window (${error.message}). Expected Firefox 138 or newer`,
      );
    });
  const [window] = tree.contexts;
  if (!window) throw new Error('it has no window');
  return { context: window.context };
}

/**
 * JavaScript that has Firefox open its store of Alt-Svc, without which its first load would not use forced QUIC. The request for it
 * is answered by the empty cache, and never sent.
 */
const OPEN_ALT_SVC = `fetch('https://localhost/', { cache: 'only-if-cached', mode: 'same-origin' })
  .then(() => {}, () => {})`;

/** JavaScript that keeps Firefox from learning that hosts have HTTP/3, which all servers advertise. */
function ignoringAltSvcOf(hosts: readonly string[]): string {
  return `(() => {
    const hosts = new Set(${JSON.stringify(hosts)});
    Services.obs.addObserver((channel) => {
      channel.QueryInterface(Ci.nsIHttpChannelInternal);
      if (hosts.has(channel.URI.hostPort)) channel.allowAltSvc = false;
    }, 'http-on-modify-request');
  })()`;
}

/** JavaScript that makes Firefox trust the authorities of a PEM file. */
function trusting(pem: string): string {
  const certificates = certificatesIn(pem).map((each) => each.replace(/-----[^-]+-----|\s/g, ''));
  return `(() => {
    const store = Cc['@mozilla.org/security/x509certdb;1'].getService(Ci.nsIX509CertDB);
    for (const each of ${JSON.stringify(certificates)}) store.addCertFromBase64(each, 'C,,');
  })()`;
}
