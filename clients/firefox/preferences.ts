import type { Protocol } from '../../ground/records/protocol.ts';
import { usesNameServer } from '../name-server.ts';

export type Preferences = Readonly<Record<string, boolean | number | string>>;

interface PreferencesInput {
  protocol: Protocol;
  /** Whether to use only QUIC with servers that offer HTTP/2 and HTTP/3 at one address. */
  forcesQuic: boolean;
  /** Host to `ip:port`. */
  origins: Readonly<Record<string, string>>;
  /** Those that are loaded by HTTP/2 where the rest is loaded by HTTP/3. */
  http2Hosts: readonly string[];
  tlsMost?: '1.2' | '1.3';
}

/** Firefox's preferences for page loads by one protocol. */
export function preferencesFor(input: PreferencesInput): Preferences {
  return {
    ...QUIET,
    ...USUAL,
    ...UNDISTURBED,
    ...protocolPreferences(input),
    'network.dns.native_https_query': usesNameServer(input),
    // 3 is TLS 1.2, with which Firefox has no QUIC.
    ...(input.tlsMost === '1.2' && input.protocol !== 'h3' && { 'security.tls.version.max': 3 }),
  };
}

/**
 * Preferences of a Firefox that uses servers as a user's does.
 * @param acceptsAny whether it uses QUIC with any authority that it trusts
 * @param forcedHosts with which HTTP/3 is tried first, and not raced with TCP
 */
export function usualPreferences(acceptsAny: boolean, forcedHosts: readonly string[]): Preferences {
  return {
    ...QUIET,
    ...USUAL,
    ...(acceptsAny && { [PUBLIC_AUTHORITIES_ALONE]: false }),
    ...(forcedHosts.length > 0 && forced(forcedHosts)),
  };
}

function protocolPreferences({
  protocol,
  forcesQuic,
  origins,
  http2Hosts,
}: PreferencesInput): Preferences {
  switch (protocol) {
    case 'h3':
      return {
        ...QUIC,
        ...forced(Object.keys(origins).filter((host) => !http2Hosts.includes(host))),
      };
    case 'h2+h3':
      return { ...QUIC, ...(forcesQuic && forced(Object.keys(origins))) };
    case 'h2':
      return { 'network.http.http3.enable': false };
    case 'http/1.1':
    case 'http/1.0':
      return { 'network.http.http3.enable': false, 'network.http.http2.enabled': false };
    case 'quic':
    case 'tls':
    case 'tcp':
      throw new Error(`no page goes over ${protocol} without HTTP`);
  }
}

/** Whether Firefox leaves QUIC for a server whose certificate is from an authority that was added. */
export const PUBLIC_AUTHORITIES_ALONE = 'network.http.http3.disable_when_third_party_roots_found';

const QUIC: Preferences = {
  'network.http.http3.enable': true,
  [PUBLIC_AUTHORITIES_ALONE]: false,
};

/** Uses HTTP/3 with these hosts from the first request on, and does not race it with TCP. */
function forced(hosts: readonly string[]): Preferences {
  return {
    'network.http.http3.alt-svc-mapping-for-testing': hosts
      .map((host) => `${host.replace(/:\d+$/, '')};h3=:${/:(\d+)$/.exec(host)?.[1] ?? 443}`)
      .join(),
    'network.http.http3.backup_timer_delay': 0,
    'network.http.http3.0rtt_timeout': NEVER_MS,
    'network.http.http3.fallback_to_h2_on_error': false,
    'network.dns.httpssvc.http3_fast_fallback_timeout': 0,
  };
}

/** Longer than any load. */
const NEVER_MS = 3_600_000;

/** A user's settings, in place of what Firefox sets itself for WebDriver: set here, they stay. */
const USUAL: Preferences = {
  // Blocks windows that no click opens.
  'dom.disable_open_during_load': true,
  // Of a page's own navigations in 10 s; 0: any number.
  'dom.navigation.navigationRateLimit.count': 1_000,
};

/** Settings of a user's Firefox that would disturb a measurement. */
const UNDISTURBED: Preferences = {
  // Connections before the first request would hide its handshake.
  'network.http.speculative-parallel-limit': 0,
  'network.dns.disablePrefetch': true,
  'network.prefetch-next': false,
  // The host's own resolver alone.
  'network.trr.mode': 5,
  'network.dns.disableIPv6': true,
  // Timings to the microsecond.
  'privacy.reduceTimerPrecision': false,
  // A worker would answer requests in place of the server.
  'dom.serviceWorkers.enabled': false,
  // The tab's icon is not part of the page.
  'browser.chrome.site_icons': false,
  // An image of another host would be blocked if its first packet had fewer than 8 bytes of it.
  'browser.opaqueResponseBlocking': false,
  // Pages choose between http: and https:.
  'dom.security.https_first': false,
  'network.auth.subresource-http-auth-allow': 0,
};

/**
 * Disables Firefox's activity other than loading the page, together with what Firefox sets itself for WebDriver
 * (`RecommendedPreferences.sys.mjs`).
 */
const QUIET: Preferences = {
  'app.normandy.enabled': false,
  'app.shield.optoutstudies.enabled': false,
  'browser.newtabpage.enabled': false,
  'browser.newtabpage.activity-stream.feeds.topsites': false,
  'browser.region.update.enabled': false,
  'browser.startup.page': 0,
  'media.gmp-manager.updateEnabled': false,
  'nimbus.rollouts.enabled': false,
  'security.remote_settings.crlite_filters.enabled': false,
  // No revocation checks for the bench's certificates.
  'security.OCSP.enabled': 0,
  'toolkit.telemetry.server': '',
  'toolkit.telemetry.archive.enabled': false,
  'toolkit.telemetry.unified': false,
};
