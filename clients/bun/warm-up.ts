import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import * as http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import * as quic from 'node:quic';
import { RESUMPTIONS } from '../../ground/records/connection-attempt.ts';
import {
  CONNECTION_TRANSPORT_NAMES,
  type ConnectionTransport,
} from '../../ground/records/connection-transport.ts';
import type { ConnectionRequest, ConnectionResult } from '../connector.ts';
import { throwawayCertificate } from './throwaway-certificate.ts';

const TIMES = 3;
const TIMEOUT_MS = 1000;
/** No connection begins after this time: the caller waits for the program's response. */
const LIMIT_MS = 3000;

/**
 * Connects by each transport to this program's own servers, so that the first counted connection does not include loading and compiling.
 */
export async function warmUp(
  connect: (target: ConnectionRequest) => Promise<ConnectionResult>,
): Promise<void> {
  const { privateKey, certificate } = throwawayCertificate();
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const overTcp = http2.createSecureServer({ key, cert: certificate, allowHTTP1: true });
  overTcp.on('request', (_, response) => response.end());
  overTcp.on('error', () => {});
  overTcp.listen(0, '127.0.0.1');
  await once(overTcp, 'listening');
  const overQuic = await quic.listen(respondToAll, {
    alpn: ['h3'],
    sni: { '*': { keys: [privateKey], certs: [Buffer.from(certificate)] } },
    endpoint: { address: '127.0.0.1:0' },
    cc: 'cubic',
  });
  const relay = await relayTo(overQuic.address.port);
  const ports = {
    quic: relay.port,
    tcp: (overTcp.address() as AddressInfo).port,
  };
  const untilMs = performance.now() + LIMIT_MS;
  const warm = async (via: ConnectionTransport) => {
    for (let time = 0; time < TIMES; time++) {
      for (const resumption of RESUMPTIONS) {
        if (performance.now() > untilMs) return;
        await connect({
          via,
          host: 'localhost',
          authority: 'localhost',
          address: `127.0.0.1:${via === 'quic' ? ports.quic : ports.tcp}`,
          resumption,
          awaitsTicket: resumption === 'none' && via !== 'tcp',
          request: via === 'tcp' ? null : { path: '/' },
          localPort: null,
          trust: null,
          timeoutMs: TIMEOUT_MS,
        });
      }
    }
  };
  await Promise.all(CONNECTION_TRANSPORT_NAMES.map(warm));
  await overQuic.close();
  overTcp.close();
  relay.close();
}

function respondToAll(session: quic.QuicSession): void {
  session.closed.catch(() => {});
  session.onstream = (stream) => {
    stream.closed.catch(() => {});
    stream.onheaders = () => stream.sendHeaders({ ':status': '200' }, { terminal: true });
  };
}

/**
 * Relays a port's datagrams to a server from a socket that stays open. When ICMP reports a gone client to Bun's server, Bun sends nothing
 * to the next client for 2 s.
 */
async function relayTo(serverPort: number): Promise<{ port: number; close: () => void }> {
  const [toClients, toServer] = [createSocket('udp4'), createSocket('udp4')];
  let clientPort = 0;
  toClients.on('message', (datagram, { port }) => {
    clientPort = port;
    toServer.send(datagram, serverPort, '127.0.0.1');
  });
  toServer.on('message', (datagram) => toClients.send(datagram, clientPort, '127.0.0.1'));
  for (const socket of [toClients, toServer]) {
    socket.on('error', () => {});
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
  }
  const close = () => {
    toClients.close();
    toServer.close();
  };
  return { port: toClients.address().port, close };
}
