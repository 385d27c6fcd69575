import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import type { TcpBehaviour } from '../kinds.ts';
import { type Listener, PORT, pageOf } from './listener.ts';

/**
 * What a server of each kind takes. No client has anything in common with `alert`: of TLS 1.3 it takes a suite that none offers, and
 * of TLS 1.2 one for keys of another type than its own.
 */
const TLS: Partial<Record<TcpBehaviour, SecureContextOptions>> = {
  https: { minVersion: 'TLSv1.2' },
  'https-of-tls1.2': { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' },
  alert: {
    minVersion: 'TLSv1.2',
    ciphers: 'TLS_AES_128_CCM_8_SHA256:ECDHE-RSA-AES128-GCM-SHA256',
  },
};

/** HTTP/2 and HTTP/1.1 over TLS, with tickets. */
export async function listenHttps({
  address,
  behaviour,
  hosts,
}: Listener<TcpBehaviour>): Promise<void> {
  const versions = TLS[behaviour];
  const [first] = hosts;
  if (!versions || !first) throw new Error(`no TLS for ${behaviour} at ${address}`);
  const byName = new Map(hosts.map((host) => [host.name, host]));
  const contexts = new Map<string, SecureContext>();
  const contextOf = (name: string) => {
    const host = byName.get(name) ?? first;
    const made =
      contexts.get(host.name) ??
      createSecureContext({ ...versions, cert: host.certificate, key: host.key });
    contexts.set(host.name, made);
    return made;
  };
  const server = createSecureServer({
    ...versions,
    allowHTTP1: true,
    cert: first.certificate,
    key: first.key,
    // One host needs no choice.
    ...(hosts.length > 1 && {
      SNICallback: (name: string, choose: (error: null, context: SecureContext) => void) =>
        choose(null, contextOf(name)),
    }),
  });
  server.on('request', (request, response) => {
    const name = (request.authority ?? request.headers.host ?? '').replace(/:\d+$/, '');
    const host = byName.get(name) ?? first;
    const protocol = request.httpVersion === '2.0' ? 'h2' : 'http/1.1';
    response.setHeader('content-type', 'text/html');
    if (host.altSvc !== null) response.setHeader('alt-svc', host.altSvc);
    response.end(pageOf(host.name, protocol));
  });
  // Clients that give up, also in the midst of a handshake, are no errors of the server.
  for (const event of ['tlsClientError', 'clientError', 'sessionError']) {
    server.on(event, (_error, socket) => socket?.destroy());
  }
  server.listen({ host: address, port: PORT, ipv6Only: address.includes(':') });
  await once(server, 'listening');
}
