import type { Protocol } from '../../ground/records/protocol.ts';
import { LIMITS } from './limits.ts';
import { usesNameServer } from './name-server.ts';

/** What decides Chromium's command line. */
export interface FlagsInput {
  protocol: Protocol;
  /** Whether nothing but QUIC is spoken to servers that speak both versions of HTTP at one address; left out: as Chromium decides. */
  forcesQuic?: boolean;
  /** Host to `ip:port`. */
  origins: Readonly<Record<string, string>>;
  /** Base64 SHA-256 of the servers' public keys. */
  spkiPins: readonly string[];
  profileFolder: string;
  /** Where Chromium writes what its network stack does; null: nowhere. */
  netLogFile: string | null;
  /** Where Chromium writes the secrets of its sessions; absent: nowhere. */
  keyLogFile?: string;
  /** The newest TLS to speak over TCP; absent: what Chromium has. */
  tlsMost?: '1.2' | '1.3';
  /** Whether there is a window for a person to look at; left out: none. */
  hasWindow?: boolean;
  /** What is opened at once; left out: an empty page. */
  url?: string;
}

/** Chromium's command line for one page load, or for a person who looks at the same. */
export function chromiumFlags(input: FlagsInput): string[] {
  const hosts = Object.keys(input.origins);
  return [
    ...(input.hasWindow ? [] : ['--headless']),
    `--user-data-dir=${input.profileFolder}`,
    `--window-size=${LIMITS.window.widthPx},${LIMITS.window.heightPx}`,
    ...protocolFlags(input, hosts),
    ...(input.tlsMost === '1.2' ? ['--ssl-version-max=tls1.2'] : []),
    // The site's hosts and nothing else: no page load can leave the machine.
    `--host-resolver-rules=${resolverRules(input).join(', ')}`,
    // With a proxy, forced QUIC would be ignored.
    '--no-proxy-server',
    `--ignore-certificate-errors-spki-list=${input.spkiPins.join(',')}`,
    ...(input.netLogFile === null ? [] : [`--log-net-log=${input.netLogFile}`]),
    ...(input.keyLogFile === undefined ? [] : [`--ssl-key-log-file=${input.keyLogFile}`]),
    // What it learnt of the network by earlier loads would decide how it schedules the requests of later ones.
    '--force-effective-connection-type=4G',
    ...QUIET,
    ...(input.hasWindow ? QUIET_WINDOW : []),
    input.url ?? 'about:blank',
  ];
}

function resolverRules(input: FlagsInput): string[] {
  const nowhere = 'MAP * ~NOTFOUND';
  const hosts = Object.entries(input.origins);
  return usesNameServer(input)
    ? [nowhere, ...hosts.map(([host]) => `EXCLUDE ${withoutPort(host)}`)]
    : [...hosts.map(([host, origin]) => `MAP ${withPort(host)} ${origin}`), nowhere];
}

function protocolFlags(
  { protocol, forcesQuic = false }: FlagsInput,
  hosts: readonly string[],
): string[] {
  switch (protocol) {
    case 'h3':
      // A forced origin never races TCP.
      return ['--enable-quic', `--origin-to-force-quic-on=${hosts.map(withPort).join(',')}`];
    case 'h2+h3':
      // Naming another port of a host forces nothing, and has its certificate judged by its pin over QUIC too.
      return [
        '--enable-quic',
        `--origin-to-force-quic-on=${hosts.map(forcesQuic ? withPort : withUnusedPort).join(',')}`,
      ];
    case 'h2':
      return ['--disable-quic'];
    case 'http/1.1':
    case 'http/1.0':
      return ['--disable-quic', '--disable-http2'];
    case 'quic':
    case 'tls':
    case 'tcp':
      throw new Error(`no page goes over ${protocol} without HTTP`);
  }
}

function withPort(host: string): string {
  return host.includes(':') ? host : `${host}:443`;
}

function withUnusedPort(host: string): string {
  return `${withoutPort(host)}:1`;
}

function withoutPort(host: string): string {
  return host.replace(/:.*$/, '');
}

// Whatever Chromium would do beside loading the page, off in every stack alike.
const QUIET = [
  '--no-first-run',
  '--no-default-browser-check',
  '--no-service-autorun',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-component-extensions-with-background-pages',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-extensions',
  '--disable-field-trial-config',
  '--disable-search-engine-choice-screen',
  '--disable-sync',
  '--disable-breakpad',
  '--disable-crash-reporter',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  // Its bar about unsupported flags would make the first tab smaller than others.
  '--disable-infobars',
  '--metrics-recording-only',
  '--mute-audio',
  '--password-store=basic',
  '--use-mock-keychain',
  // The browser's own window, which a context gets with its tab: a third of what opening it takes.
  '--animation-duration-scale=0',
  '--wm-window-animations-disabled',
  `--disable-features=${[
    'MediaRouter',
    'OptimizationHints',
    'Translate',
    // It would ask for the time of day.
    'NetworkTimeServiceQuerying',
    'AutofillServerCommunication',
    // Pages of the address bar that are loaded ahead at every start: two thirds of a second of processor time.
    'WebUIOmniboxAimPopup',
    'WebUIOmniboxPopup',
    'WebUIOmniboxFullPopup',
    // A renderer for whatever page may come next, started while this one loads.
    'SpareRendererForSitePerProcess',
  ].join()}`,
];

// Bars and bubbles: about flags that Chromium does not support, and pages that were open when it was killed.
const QUIET_WINDOW = ['--test-type', '--hide-crash-restore-bubble'];
