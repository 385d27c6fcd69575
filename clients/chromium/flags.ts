import { DESKTOP, type Device } from '../../ground/records/device.ts';
import type { Protocol } from '../../ground/records/protocol.ts';
import { usesNameServer } from '../name-server.ts';
import { deviceFlags } from './device.ts';

/** Inputs of Chromium's command line. */
export interface FlagsInput {
  protocol: Protocol;
  /** Version of QUIC on the wire; absent: 1. */
  quicVersion?: 2;
  /** Whether to use only QUIC with servers that offer HTTP/2 and HTTP/3 at one address; absent: Chromium decides. */
  forcesQuic?: boolean;
  /** Host to `ip:port`. */
  origins: Readonly<Record<string, string>>;
  /** Those that are loaded by HTTP/2 where the rest is loaded by HTTP/3; absent: none. */
  http2Hosts?: readonly string[];
  /** Base64 SHA-256 of the servers' public keys. */
  spkiPins: readonly string[];
  profileFolder: string;
  /** Where Chromium writes its NetLog; null: nowhere. */
  netLogFile: string | null;
  /** Where Chromium writes its key log; absent: nowhere. */
  keyLogFile?: string;
  /** Maximum TLS version over TCP; absent: Chromium's default. */
  tlsMost?: '1.2' | '1.3';
  /** Device that its tabs emulate; absent: the desktop. */
  device?: Device;
  /** Whether to open a visible window; absent: no. */
  hasWindow?: boolean;
  /** The page to open at once; absent: an empty page. */
  url?: string;
}

/** Chromium's command line for a page load, or for a visible window. */
export function chromiumFlags(input: FlagsInput): string[] {
  const hosts = Object.keys(input.origins);
  return [
    ...(input.hasWindow ? [] : ['--headless']),
    `--user-data-dir=${input.profileFolder}`,
    `--window-size=${DESKTOP.widthPx},${DESKTOP.heightPx}`,
    ...deviceFlags(input.device),
    ...protocolFlags(input, hosts),
    ...(input.tlsMost === '1.2' ? ['--ssl-version-max=tls1.2'] : []),
    // Resolves only the site's hosts, so that no page load can leave the machine.
    `--host-resolver-rules=${resolverRules(input).join(', ')}`,
    // A proxy would disable forced QUIC.
    '--no-proxy-server',
    `--ignore-certificate-errors-spki-list=${input.spkiPins.join(',')}`,
    ...(input.netLogFile === null ? [] : [`--log-net-log=${input.netLogFile}`]),
    ...(input.keyLogFile === undefined ? [] : [`--ssl-key-log-file=${input.keyLogFile}`]),
    // Without it network quality estimates from earlier loads would affect request scheduling.
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
  { protocol, quicVersion, forcesQuic = false, http2Hosts = [] }: FlagsInput,
  hosts: readonly string[],
): string[] {
  switch (protocol) {
    case 'h3': {
      // For a forced origin, TCP does not race QUIC.
      const forced = hosts.filter((host) => !http2Hosts.includes(host));
      return [
        '--enable-quic',
        `--origin-to-force-quic-on=${forced.map(withPort).join(',')}`,
        ...(quicVersion ? [`--quic-version=RFCv${quicVersion}`] : []),
        ...(http2Hosts.length > 0 ? quicAllowlist(forced) : []),
      ];
    }
    case 'h2+h3':
      // Another port of the host forces nothing, but lets the SPKI pin apply over QUIC too.
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

/**
 * Hosts that may use QUIC. Servers send the same Alt-Svc for all hosts, after which Chromium would try QUIC on the remaining
 * ones, too. Chromium has no flag for this list, only a parameter of the field trial QUIC.
 */
function quicAllowlist(hosts: readonly string[]): string[] {
  const names = hosts.map(withoutPort).join().replaceAll('.', '%2E').replaceAll(',', '%2C');
  return [
    '--force-fieldtrials=QUIC/Enabled/',
    `--force-fieldtrial-params=QUIC.Enabled:host_whitelist/${names}`,
  ];
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

// Disables Chromium's activity other than loading the page, for all arms alike.
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
  // The bar about unsupported flags would make the first tab smaller than later ones.
  '--disable-infobars',
  '--metrics-recording-only',
  '--mute-audio',
  '--password-store=basic',
  '--use-mock-keychain',
  // A context's tab opens in a new window, whose animation takes a third of the opening time.
  '--animation-duration-scale=0',
  '--wm-window-animations-disabled',
  `--disable-features=${[
    'MediaRouter',
    'OptimizationHints',
    'Translate',
    // Requests the time of day.
    'NetworkTimeServiceQuerying',
    'AutofillServerCommunication',
    // Preloads pages of the address bar at every start: two thirds of a second of processor time.
    'WebUIOmniboxAimPopup',
    'WebUIOmniboxPopup',
    'WebUIOmniboxFullPopup',
    // Starts a renderer for a possible next page during the load.
    'SpareRendererForSitePerProcess',
  ].join()}`,
];

// Hides messages about unsupported flags and about restoring pages after a crash.
const QUIET_WINDOW = ['--test-type', '--hide-crash-restore-bubble'];
