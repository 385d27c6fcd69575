// Run by Bun: an HTTP/3 server with other responses than a site's, by path. Reads its key and
// certificate as JSON from stdin; prints its addresses.
import { createPrivateKey } from 'node:crypto';
import * as quic from 'node:quic';
import { createInterface } from 'node:readline';
import { ignoreUnreachablePorts } from '../../../servers/lsquic-h3/unreachable-ports.ts';

const [line] = await Array.fromAsync(firstLine());
const { key, certificate, alpn } = JSON.parse(line ?? '') as Record<string, string>;
const identity = {
  keys: [createPrivateKey(key ?? '')],
  certs: [Buffer.from(certificate ?? '')],
};

async function* firstLine(): AsyncGenerator<string> {
  for await (const each of createInterface(process.stdin)) {
    yield each;
    return;
  }
}

async function listen(ip: string): Promise<string> {
  const endpoint = await quic.listen(take, {
    alpn: [alpn ?? 'h3'],
    sni: { '*': identity },
    endpoint: { address: `${ip}:0` },
    cc: 'cubic',
  });
  const { port } = endpoint.address;
  if (!ip.startsWith('[')) ignoreUnreachablePorts(ip, port);
  return `${ip}:${port}`;
}

function take(session: quic.QuicSession): void {
  session.closed.catch(() => {});
  session.onstream = (stream) => {
    stream.closed.catch(() => {});
    stream.onheaders = ({ ':path': path }) => {
      if (path === '/silent') return;
      if (path === '/close') return void session.close({ code: 0x102, type: 'application' });
      if (path === '/reset') return stream.resetStream(0x10b);
      stream.sendHeaders({ ':status': '200', 'alt-svc': 'h3=":443"' });
      stream.setBody(Buffer.from('hello'));
    };
  };
}

const addresses = [await listen('127.0.0.1'), await listen('[::1]')];
process.stdout.write(`${JSON.stringify(addresses)}\n`);
