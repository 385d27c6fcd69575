import type { Protocol } from '../../ground/records/protocol.ts';
import { chromiumFlags, type FlagsInput } from './flags.ts';

/** What keeps a measured load on this machine: a live page is loaded as it is out there. */
const ISOLATION_FLAGS = ['--host-resolver-rules=', '--ignore-certificate-errors-spki-list='];

/** What else decides how it goes there. */
const ROUTING_FLAGS = ['--no-proxy-server', '--disable-quic'];

/** Where nobody listens. */
const UNREACHABLE_URL = 'https://127.0.0.1:1';

/**
 * What keeps Chromium from asking anybody whom the page does not ask: where it gets components, and who is signed in. The fences of
 * measured loads do that there; pages may well need the hosts that it would ask.
 */
const QUIET_SERVICES = [
  `--component-updater=url-source=${UNREACHABLE_URL}`,
  `--gaia-url=${UNREACHABLE_URL}`,
];

/** How a live page is loaded by one version of HTTP. */
export interface LiveProtocol {
  protocol: Protocol;
  /** `host:port` of those that QUIC is forced on where it is HTTP/3: others are asked over TCP. */
  quicHosts: readonly string[];
}

/**
 * Chromium's command line as for measured loads, but free to go anywhere.
 * @param by left out: by any protocol, as it would by itself
 */
export function liveFlags(
  input: Pick<FlagsInput, 'profileFolder' | 'netLogFile' | 'keyLogFile'>,
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
