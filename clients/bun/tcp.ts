import * as net from 'node:net';
import type { ConnectionRequest } from '../connector.ts';
import { type PendingConnection, splitAddress, throwUnsupported } from './pending-connection.ts';
import { assertReachable, assertRefused } from './route.ts';
import { tcpCounts } from './tcp-counts.ts';

export async function openTcp(pending: PendingConnection): Promise<net.Socket> {
  const { target, times } = pending;
  const { ip, port, family } = splitAddress(target.address);
  pending.stage = () => ({ layer: 'tcp', expected: `a TCP connection to ${target.address}` });
  const connected = Promise.withResolvers<void>();
  assertReachable(pending);
  pending.begin();
  const socket = net.connect({ host: ip, port, family, ...localPort(target) }, () => {
    times.tcpMs = pending.elapsedMs();
    connected.resolve();
  });
  socket.on('error', connected.reject);
  socket.setNoDelay(true);
  try {
    await pending.until(connected.promise);
    return socket;
  } catch (error) {
    socket.destroy();
    if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') assertRefused(pending);
    throw error;
  }
}

function localPort({ localPort: port }: ConnectionRequest): { localPort?: number } {
  return port === null ? {} : { localPort: port };
}

export async function connectTcp(pending: PendingConnection): Promise<void> {
  const { target, times, facts } = pending;
  if (target.resumption !== 'none') {
    throwUnsupported('unsupported', 'a transport with tickets', 'tcp, which has no tickets');
  }
  if (target.request !== null) {
    throwUnsupported('unsupported', 'a transport for HTTP', 'tcp: use TLS or QUIC');
  }
  const socket = await openTcp(pending);
  times.maySendMs = times.tcpMs;
  times.completeMs = times.tcpMs;
  Object.assign(facts, tcpCounts(socket));
  socket.destroy();
}
