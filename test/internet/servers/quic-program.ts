// Run by Bun: HTTP/3 (lsquic).
import { createPrivateKey } from 'node:crypto';
import * as quic from 'node:quic';
import { ignoreUnreachablePorts } from '../../../servers/lsquic-h3/unreachable-ports.ts';
import type { UdpBehaviour } from '../kinds.ts';
import { answerOf, type Listener, PORT, type QuicConfiguration } from './listener.ts';
import { runProgram } from './program.ts';

/** As in servers/lsquic-h3: tests are one address that opens many. */
const NO_RATE_LIMIT = 1_000_000;

/** A protocol that no client has: each gets the alert no_application_protocol. */
const UNSPOKEN = 'unspoken';

async function listen({ address, behaviour, identity, hosts }: Listener<UdpBehaviour>) {
  const { certificate, key } = identity;
  const ip = address.includes(':') ? `[${address}]` : address;
  await quic.listen((session) => handle(session, hosts), {
    alpn: [behaviour === 'no-protocol' ? UNSPOKEN : 'h3'],
    sni: { '*': { keys: [createPrivateKey(key)], certs: [Buffer.from(certificate)] } },
    endpoint: {
      address: `${ip}:${PORT}`,
      maxConnectionsPerHost: 65535,
      sessionCreationRate: NO_RATE_LIMIT,
      sessionCreationBurst: NO_RATE_LIMIT,
    },
    cc: 'cubic',
  });
  ignoreUnreachablePorts(address, PORT);
}

function handle(session: quic.QuicSession, hosts: Listener<UdpBehaviour>['hosts']) {
  session.closed.catch(() => {}); // Clients may give up.
  session.onstream = (stream) => {
    stream.closed.catch(() => {});
    stream.onheaders = (request) => {
      const authority = String(request[':authority'] ?? '');
      const path = String(request[':path'] ?? '/');
      const { status, headers, body } = answerOf(hosts, authority, path, 'h3');
      stream.sendHeaders({ ':status': String(status), ...headers });
      const isHead = request[':method'] === 'HEAD';
      stream.setBody(Buffer.from(isHead ? '' : body));
    };
  };
}

await runProgram<QuicConfiguration>(async ({ udp }) => {
  for (const listener of udp) await listen(listener);
});
