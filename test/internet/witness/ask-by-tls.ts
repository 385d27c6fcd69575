// Run on the client's machine: makes the requests of stdin, all at once, and prints the responses
// as a line of JSON.
import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect, type DetailedPeerCertificate, type TLSSocket } from 'node:tls';
import type { TlsRequest, TlsResult } from './witness.ts';

const PORT = 443;

async function request(request: TlsRequest): Promise<TlsResult> {
  const {
    host,
    address,
    authority,
    timeoutMs,
    alpn = ['http/1.1'],
    minVersion,
    maxVersion,
  } = request;
  const tcp = connectTcp({ host: address, port: PORT });
  const timer = setTimeout(() => {
    const isConnected = tcp.readyState === 'open';
    socket.destroy(Object.assign(new Error(), { code: isConnected ? 'silence' : 'no-answer' }));
  }, timeoutMs);
  const socket = connect({
    socket: tcp,
    servername: host,
    ca: authority,
    ALPNProtocols: alpn,
    minVersion,
    maxVersion,
    ...(request.session && { session: Buffer.from(request.session, 'base64') }),
  });
  let session: string | null = null;
  socket.on('session', (ticket) => {
    session = ticket.toString('base64');
  });
  try {
    await once(socket, 'secureConnect');
    const facts = factsOf(socket);
    if (!alpn.includes('http/1.1')) return { ...NOTHING, ...facts };
    socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    const answer = await text(socket);
    return { ...NOTHING, ...facts, session, answer };
  } catch (error) {
    return { ...NOTHING, error: (error as NodeJS.ErrnoException).code ?? String(error) };
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

const NOTHING: TlsResult = {
  error: null,
  version: null,
  protocol: null,
  resumed: false,
  chainBytes: 0,
  session: null,
  answer: null,
};

function factsOf(socket: TLSSocket): Partial<TlsResult> {
  return {
    version: socket.getProtocol(),
    protocol: socket.alpnProtocol || null,
    resumed: socket.isSessionReused(),
    chainBytes: bytesSent(socket.getPeerCertificate(true)),
  };
}

/** From the chain up to its root, which is not sent. */
function bytesSent({ raw, issuerCertificate }: DetailedPeerCertificate): number {
  if (!raw || issuerCertificate?.raw.equals(raw)) return 0;
  return raw.length + (issuerCertificate ? bytesSent(issuerCertificate) : 0);
}

const requests = JSON.parse(await text(process.stdin)) as TlsRequest[];
console.log(JSON.stringify(await Promise.all(requests.map(request))));
