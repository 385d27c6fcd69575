import { createPrivateKey } from 'node:crypto';
import * as quic from 'node:quic';
import { sampleTransport } from '../../lsquic/transport-samples.ts';
import { type Answer, serve } from '../bun/contract.ts';
import { readToItsEnd } from '../bun/request-body.ts';
import { collectEndedSessions } from './ended-sessions.ts';
import { watchInitialWindow } from './initial-window.ts';
import { lsquicH3 } from './stack.ts';
import { ignoreUnreachablePorts } from './unreachable-ports.ts';

// Bun limits how fast one address may open sessions; a benchmark is one address that opens many.
const NO_RATE_LIMIT = 1_000_000;

// Nobody sends a body with them, and their streams need not be read.
const BODILESS = new Set(['GET', 'HEAD', 'OPTIONS']);

const windowWatch = watchInitialWindow('h3');
const collect = collectEndedSessions();

await serve(lsquicH3, ({ congestionControl, sampleMs }) => {
  const transport = sampleTransport('server', sampleMs);
  return {
    samples: transport.taken,
    async details(origins) {
      const [[host, address] = ['', '']] = Object.entries(origins);
      const window = await windowWatch.read(address, host);
      // Of that connection nobody wants to know.
      transport.taken();
      return {
        program: `Bun ${Bun.version}`,
        language: 'TypeScript',
        library: 'node:quic (lsquic)',
        ...(window && {
          initialWindowPackets: String(window.packets),
          initialWindowBytes: String(window.bytes),
        }),
      };
    },
    async listen({ ip, port, certificate, key }, answer) {
      const identity = { keys: [createPrivateKey(key)], certs: [Buffer.from(certificate)] };
      const endpoint = await quic.listen(
        (session) => {
          transport.sees(session);
          handleSession(session, answer);
        },
        {
          alpn: ['h3'],
          sni: { '*': identity },
          endpoint: {
            address: `${ip}:${port}`,
            maxConnectionsPerHost: 65535,
            sessionCreationRate: NO_RATE_LIMIT,
            sessionCreationBurst: NO_RATE_LIMIT,
          },
          cc: congestionControl,
        },
      );
      ignoreUnreachablePorts(ip, endpoint.address.port);
      return endpoint.address.port;
    },
  };
});

function handleSession(session: quic.QuicSession, answer: Answer): void {
  // A browser that is closed resets its streams and sessions; that is no error of the server.
  session.closed.catch(() => {});
  collect(session);
  windowWatch.sees(session);
  session.onstream = (stream) => {
    stream.closed.catch(() => {});
    stream.onheaders = async (request) => {
      const header = (name: string) => joined(name, request[name]);
      const method = header(':method') ?? '';
      // A stream that its client resets has no end to wait for, and nobody who waits for an answer.
      const isRead = !BODILESS.has(method);
      const received = isRead ? await readToItsEnd(stream).catch(() => 0) : 0;
      const asked = {
        method,
        host: header(':authority') ?? '',
        path: header(':path') ?? '',
        header,
        received,
      };
      const { status, headers, body, bytes } = await answer(asked, () => stream.destroyed);
      if (stream.destroyed) return;
      const empty = body === null || bytes === 0;
      stream.sendHeaders({ ':status': String(status), ...headers }, { terminal: empty });
      if (!empty) stream.setBody(body instanceof Blob ? body.stream() : body);
    };
  };
}

/** Browsers send each cookie in a field of its own (RFC 9114, section 4.2.1). */
function joined(name: string, value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(name === 'cookie' ? '; ' : ', ') : value;
}
