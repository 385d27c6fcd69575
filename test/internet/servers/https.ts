import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import type { SecureContextOptions } from 'node:tls';
import type { TcpBehaviour } from '../kinds.ts';
import { answerOf, type Listener, PORT } from './listener.ts';

/**
 * Settings of a server of each kind. No client has anything in common with `alert`: its only TLS
 * 1.3 suite is offered by none, and its TLS 1.2 suite is for keys of another type than its own.
 */
const TLS: Partial<Record<TcpBehaviour, SecureContextOptions>> = {
  https: { minVersion: 'TLSv1.2' },
  'https-of-tls1.2': { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' },
  // OpenSSL refuses small keys at any other level.
  'https-of-any-key': { minVersion: 'TLSv1.2', ciphers: 'DEFAULT:@SECLEVEL=0' },
  alert: {
    minVersion: 'TLSv1.2',
    ciphers: 'TLS_AES_128_CCM_8_SHA256:ECDHE-RSA-AES128-GCM-SHA256',
  },
};

/** HTTP/2 and HTTP/1.1 over TLS, with tickets. */
export async function listenHttps({
  address,
  behaviour,
  identity: { certificate, key },
  hosts,
}: Listener<TcpBehaviour>): Promise<void> {
  const options = { ...TLS[behaviour], allowHTTP1: true, cert: certificate, key };
  const server = createSecureServer(options);
  server.on('request', (request, response) => {
    const authority = request.authority ?? request.headers.host ?? '';
    const protocol = request.httpVersion === '2.0' ? 'h2' : 'http/1.1';
    const { status, headers, body } = answerOf(hosts, authority, request.url ?? '/', protocol);
    response.writeHead(status, headers);
    response.end(body);
  });
  // Clients that give up, also during a handshake, are no errors of the server.
  for (const event of ['tlsClientError', 'clientError', 'sessionError']) {
    server.on(event, (_error, socket) => socket?.destroy());
  }
  server.listen({ host: address, port: PORT, ipv6Only: address.includes(':') });
  await once(server, 'listening');
}
