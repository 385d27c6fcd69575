import * as net from 'node:net';
import * as tls from 'node:tls';
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
  alpn: 'h2' | 'http/1.1',
): Promise<tls.TLSSocket> {
  const { host, address } = pending.request;
  const { ip, port } = splitAddress(address);
  // Cached: reading authorities takes milliseconds.
  context ??= tls.createSecureContext({
    minVersion: 'TLSv1.3',
    ca: [...authoritiesOf({ trust: null })],
    ecdhCurve: groupsOf(pending.request),
  });
  const tcp = net.connect({ host: ip, port, noDelay: true });
  const socket = tls.connect({
    socket: tcp,
    servername: host,
    ALPNProtocols: [alpn],
    secureContext: context,
    rejectUnauthorized: false,
  });
  socket.on('keylog', (line) => pending.addKeyLogLine(line));
  const secure = Promise.withResolvers<void>();
  const failed = ({ message }: Error) =>
    secure.reject(new TransferFailure('connect-failed', message));
  tcp.once('error', failed);
  socket.once('error', failed);
  socket.once('close', () => failed(new Error('The connection was closed during its handshake.')));
  socket.once('secureConnect', secure.resolve);
  try {
    await pending.until(secure.promise);
  } catch (error) {
    socket.destroy();
    throw error;
  }
  pending.addClientPort(tcp.localPort);
  pending.noteConnected();
  return socket;
}
