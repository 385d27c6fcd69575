import type { FailureReason } from '../ground/records/connection-attempt.ts';
import { bun } from './bun/client.ts';
import { failureOf } from './connection-failure.ts';
import { quicConnector } from './quic-connector.ts';

/** A host whose HTTP/3 is to be tried. */
export interface HostToProbe {
  /** Where a browser found it; absent: its name is resolved. */
  address?: string | undefined;
  /** Whether it has answered over HTTP/3, so that no connection is needed; absent: no. */
  isProven?: boolean;
  /** UDP port; absent: that of the host. */
  port?: number | undefined;
}

/** For each host: a server that answers does so within a few round trips. */
const TIMEOUT_MS = 5_000;
const HOSTS_AT_ONCE = 4;

/**
 * Connects over HTTP/3 to hosts, without a request.
 * @param hosts by `host:port`
 * @param program path of Bun
 * @returns `host:port` of those that speak HTTP/3, in their order, and why the rest do not
 */
export async function probeHosts(
  hosts: ReadonlyMap<string, HostToProbe>,
  program: string,
  signal: AbortSignal,
): Promise<{ quicHosts: string[]; withoutQuic: Record<string, string> }> {
  const quicHosts = new Set<string>();
  const withoutQuic: Record<string, string> = Object.create(null);
  const left = hosts.entries();
  const clients = quicConnector([program, bun.connect.program]);
  const connectNext = async () => {
    // Several calls share this iterator: each takes the next host.
    for (const [origin, host] of left) {
      try {
        if (!host.isProven) {
          await clients.connect({ ...targetOf(origin, host), timeoutMs: TIMEOUT_MS, signal });
        }
        quicHosts.add(origin);
      } catch (error) {
        signal.throwIfAborted();
        withoutQuic[origin] = reasonOf(failureOf(error, 'quic'));
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: HOSTS_AT_ONCE }, connectNext));
  } finally {
    await clients.close();
  }
  return { quicHosts: [...hosts.keys()].filter((each) => quicHosts.has(each)), withoutQuic };
}

/** Why a host made no connection over HTTP/3. The reason of a timeout is unknown. */
export function reasonOf({ code, reason }: Pick<FailureReason, 'code' | 'reason'>): string {
  const problem = reason.replace(/\.$/, '');
  return code === 'timeout'
    ? `${problem}: it does not speak HTTP/3, or UDP is blocked on the path`
    : problem;
}

/** Where to connect for a host and port of URLs: browsers accept more names than lists of hosts should contain. */
export function targetOf(
  origin: string,
  { address, port: ownPort }: HostToProbe,
): { host: string; port: number; address: string } {
  const { hostname, port } = new URL(`https://${origin}`);
  const host = withoutBrackets(hostname).replace(/\.$/, '');
  return {
    host,
    port: ownPort ?? Number(port || 443),
    address: withoutBrackets(address ?? host),
  };
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}
