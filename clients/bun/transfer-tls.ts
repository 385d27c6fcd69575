import * as net from 'node:net';
import * as tls from 'node:tls';
import type { MESSAGE_ALPN } from '../../ground/records/protocol.ts';
import { authoritiesOf } from './authorities.ts';
import { groupsOf } from './groups.ts';
import { splitAddress } from './pending-connection.ts';
import { type PendingTransfer, TransferFailure } from './pending-transfer.ts';

let context: tls.SecureContext | undefined;

/**
 * Opens a connection by TCP and TLS 1.3, ready to send.
 * @throws TransferFailure
 */
export async function transferTls(
  pending: PendingTransfer,
  alpn: 'h2' | 'http/1.1' | typeof MESSAGE_ALPN,
): Promise<tls.TLSSocket> {
  const { host } = pending.request;
  // Cached: reading authorities takes milliseconds.
  context ??= tls.createSecureContext({
    minVersion: 'TLSv1.3',
    ca: [...authoritiesOf({ trust: null })],
    ecdhCurve: groupsOf(pending.request),
  });
  const tcp = connectTo(pending);
  const socket = tls.connect({
    socket: tcp,
    servername: host,
    ALPNProtocols: [alpn],
    secureContext: context,
    rejectUnauthorized: false,
  });
  socket.on('keylog', (line) => pending.addKeyLogLine(line));
  tcp.once('error', (error) => socket.destroy(error));
  const secure = Promise.withResolvers<void>();
  socket.once('secureConnect', secure.resolve);
  await untilReady(socket, secure, pending);
  pending.addClientPort(tcp.localPort);
  return socket;
}

/**
 * Opens a connection by TCP alone, ready to send.
 * @throws TransferFailure
 */
export async function transferTcp(pending: PendingTransfer): Promise<net.Socket> {
  const tcp = connectTo(pending);
  const connected = Promise.withResolvers<void>();
  tcp.once('connect', connected.resolve);
  await untilReady(tcp, connected, pending);
  pending.addClientPort(tcp.localPort);
  return tcp;
}

function connectTo({ request }: PendingTransfer): net.Socket {
  const { ip, port } = splitAddress(request.address);
  return net.connect({ host: ip, port, noDelay: true });
}

async function untilReady(
  socket: net.Socket,
  { promise, reject }: PromiseWithResolvers<void>,
  pending: PendingTransfer,
): Promise<void> {
  const failed = ({ message }: Error) => reject(new TransferFailure('connect-failed', message));
  socket.once('error', failed);
  socket.once('close', () => failed(new Error('The connection was closed during its handshake.')));
  try {
    await pending.until(promise);
  } catch (error) {
    socket.destroy();
    throw error;
  }
  pending.noteConnected();
}
