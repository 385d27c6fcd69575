import type { Protocol } from '../../ground/records/protocol.ts';
import { chromiumFlags, type FlagsInput } from './flags.ts';

/** Flags that isolate measured loads on this machine; removed for live pages. */
const ISOLATION_FLAGS = ['--host-resolver-rules=', '--ignore-certificate-errors-spki-list='];

/** Flags that live pages set differently. */
const ROUTING_FLAGS = ['--no-proxy-server', '--disable-quic'];

/** A URL without a server. */
const UNREACHABLE_URL = 'https://127.0.0.1:1';

/**
 * Disables Chromium's own requests, for components and sign-in. Measured loads block their hosts instead; live pages may need
 * those hosts.
 */
const QUIET_SERVICES = [
  `--component-updater=url-source=${UNREACHABLE_URL}`,
  `--gaia-url=${UNREACHABLE_URL}`,
];

/** Loads a live page by one version of HTTP. */
export interface LiveProtocol {
  protocol: Protocol;
  /** `host:port` of the servers to force QUIC on for HTTP/3; all other servers use TCP. */
  quicHosts: readonly string[];
}

/**
 * Chromium's command line for measured loads without their isolation.
 * @param by absent: Chromium chooses the version of HTTP
 */
export function liveFlags(
  input: Pick<FlagsInput, 'profileFolder' | 'netLogFile' | 'keyLogFile' | 'device'>,
  by?: LiveProtocol,
): string[] {
  const { protocol, quicHosts }: LiveProtocol = by ?? { protocol: 'h2', quicHosts: [] };
  const origins = Object.fromEntries(quicHosts.map((host) => [host, '']));
  const barred = by ? ISOLATION_FLAGS : [...ISOLATION_FLAGS, ...ROUTING_FLAGS];
  const flags = chromiumFlags({ ...input, protocol, origins, spkiPins: [] });
  return [
    ...QUIET_SERVICES,
    ...flags.filter((flag) => !barred.some((fence) => flag.startsWith(fence))),
  ];
}
