import * as net from 'node:net';
import type { AskedConnection } from '../connector.ts';
import { type Making, refuse, splitAddress } from './making.ts';
import { assertReachable, assertRefused } from './route.ts';
import { tcpCounts } from './tcp-counts.ts';

/** Connects by TCP, whatever goes over it later. */
export async function openTcp(making: Making): Promise<net.Socket> {
  const { asked, instants } = making;
  const { ip, port, family } = splitAddress(asked.address);
  making.stage = () => ({ layer: 'tcp', expected: `a TCP connection to ${asked.address}` });
  const connected = Promise.withResolvers<void>();
  assertReachable(making);
  making.begin();
  const socket = net.connect({ host: ip, port, family, ...localPort(asked) }, () => {
    instants.tcpMs = making.elapsedMs();
    connected.resolve();
  });
  socket.on('error', connected.reject);
  socket.setNoDelay(true);
  try {
    await making.until(connected.promise);
    return socket;
  } catch (error) {
    socket.destroy();
    if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') assertRefused(making);
    throw error;
  }
}

function localPort({ localPort: port }: AskedConnection): { localPort?: number } {
  return port === null ? {} : { localPort: port };
}

/** Makes a connection by TCP alone. */
export async function connectTcp(making: Making): Promise<void> {
  const { asked, instants, facts } = making;
  if (asked.resumption !== 'none') {
    refuse('unsupported', 'a way that has tickets', 'TCP alone, which has none');
  }
  if (asked.request !== null) {
    refuse('unsupported', 'a way that HTTP goes over', 'TCP alone: ask by TLS or QUIC');
  }
  const socket = await openTcp(making);
  instants.maySendMs = instants.tcpMs;
  instants.completeMs = instants.tcpMs;
  Object.assign(facts, tcpCounts(socket));
  socket.destroy();
}
