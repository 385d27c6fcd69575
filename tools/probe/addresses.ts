import { lookup } from 'node:dns/promises';
import { connect, isIP } from 'node:net';
import { Failure, failureOf, within } from '../../clients/connection-failure.ts';
import type { ProbedAddress } from '../../ground/records/probe.ts';
import type { UdpAddress } from './datagrams.ts';

type Family = ProbedAddress['family'];

const NUMBER_OF_FAMILY: Record<Family, 4 | 6> = { ipv4: 4, ipv6: 6 };

/**
 * The address of a family that this machine's resolver puts first.
 * @throws Failure if the name has no address of the family
 */
export async function addressOf(
  host: string,
  family: Family,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<string> {
  const number = NUMBER_OF_FAMILY[family];
  const itself = isIP(host);
  if (itself === number) return host;
  if (itself !== 0) throw new Failure('client', 'not-tried', `${host} has the other family`);
  const late = () =>
    new Failure('dns', 'timeout', `${host} was not looked up within ${timeoutMs / 1000} s`);
  try {
    const { address } = await within(lookup(host, { family: number }), timeoutMs, signal, late);
    return address;
  } catch (error) {
    signal.throwIfAborted();
    throw failureOf(error, 'dns');
  }
}

/**
 * Connects by TCP and disconnects.
 * @throws Failure without a connection
 */
export async function tryTcp(
  { address, port }: UdpAddress,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  const connected = Promise.withResolvers<void>();
  const socket = connect(port, address, connected.resolve);
  socket.on('error', connected.reject);
  const late = () =>
    new Failure(
      'tcp',
      'timeout',
      `no connection to ${address}, port ${port}, within ${timeoutMs / 1000} s`,
    );
  try {
    await within(connected.promise, timeoutMs, signal, late);
  } catch (error) {
    signal.throwIfAborted();
    throw failureOf(error, 'tcp');
  } finally {
    socket.destroy();
  }
}

/** The address at which TLS is tried. */
export function addressOfTls<Tried extends ProbedAddress>(
  addresses: readonly Tried[],
): Tried | undefined {
  return addresses.find(({ tcp }) => tcp);
}

/** The address at which QUIC is tried. */
export function addressOfQuic<Tried extends ProbedAddress>(
  addresses: readonly Tried[],
): Tried | undefined {
  return addresses.find(({ udp }) => udp) ?? addressOfTls(addresses) ?? addresses[0];
}
