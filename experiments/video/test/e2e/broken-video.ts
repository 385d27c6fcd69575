// A video server, by HTTP/3 (run by Bun) or HTTP/2 (run by Node), with a fault; the first argument
// selects it.
import { readFileSync } from 'node:fs';
import http2 from 'node:http2';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readManifest } from '../../../../cache/manifest.ts';
import { BROKEN_FROM_MS, MISSING_LEVEL, type VideoFault } from './video-faults.ts';

const [fault, ...words] = process.argv.slice(2) as [VideoFault, ...string[]];
const { values } = parseArgs({
  args: words,
  options: {
    protocol: { type: 'string', default: '' },
    site: { type: 'string', default: '' },
    certs: { type: 'string', default: '' },
    listen: { type: 'string', multiple: true, default: [] },
    think: { type: 'string' },
    'sub-resources': { type: 'string' },
  },
});
const { protocol, site, certs } = values;
const { resources, video } = await readManifest(site);
const pictures = video?.representations.filter(({ kind }) => kind === 'video') ?? [];
const broken = new Set(
  pictures.flatMap(({ segments }) =>
    segments.flatMap(({ url, fromMs }) => (fromMs === BROKEN_FROM_MS ? [url] : [])),
  ),
);
const lacking = new Set(
  pictures[MISSING_LEVEL]?.segments
    .map(({ url }) => url)
    .concat(pictures[MISSING_LEVEL].init?.url ?? []),
);

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  /** Whether the connection is closed when this much has been sent. */
  closes: boolean;
}

function answerTo(url: string): Answer {
  const found = resources.find((each) => each.url === url);
  if (!found?.body || (fault === 'lacks' && lacking.has(url))) {
    const headers = { 'access-control-allow-origin': '*', 'content-length': '0' };
    return { status: 404, headers, body: Buffer.alloc(0), closes: false };
  }
  const whole = readFileSync(path.join(site, found.body));
  const headers = {
    ...(Object.fromEntries(found.headers) as Record<string, string>),
    'content-length': `${whole.length}`,
  };
  const isBroken = fault !== 'lacks' && broken.has(url);
  const body = isBroken ? whole.subarray(0, whole.length / 2) : whole;
  return { status: found.status, headers, body, closes: isBroken && fault !== 'short' };
}

/** Lets sent data leave before its connection is closed. */
const AWAY_MS = 200;

interface Listener {
  ip: string;
  port: number;
  certificate: string;
  key: string;
}

async function listenByHttp3(listener: Listener): Promise<number> {
  const { sessionsProgram } = await import('../../../../servers/lsquic-h3/sessions.ts');
  const program = sessionsProgram(
    { keyExchange: 'x25519', congestionControl: 'cubic', sampleMs: null, responseOrder: null },
    {
      alpn: 'h3',
      handle(session) {
        session.closed.catch(() => {});
        session.onstream = (stream) => {
          stream.closed.catch(() => {});
          stream.onheaders = ({ ':authority': host, ':path': requestPath }) => {
            const { status, headers, body, closes } = answerTo(`https://${host}${requestPath}`);
            const isEmpty = body.length === 0;
            stream.sendHeaders({ ':status': `${status}`, ...headers }, { terminal: isEmpty });
            if (isEmpty) return;
            stream.setBody(
              closes
                ? (async function* () {
                    yield body;
                    await sleep(AWAY_MS);
                    session.destroy();
                  })()
                : body,
            );
          };
        };
      },
    },
  );
  return program.listen({ hosts: [''], ...listener }, () => {
    throw new Error('recorded responses are not requested here');
  });
}

async function listenByHttp2({ ip, port, certificate, key }: Listener): Promise<number> {
  const server = http2.createSecureServer({ cert: certificate, key });
  server.on('stream', async (stream, { ':authority': host, ':path': requestPath }) => {
    stream.on('error', () => {});
    const { status, headers, body, closes } = answerTo(`https://${host}${requestPath}`);
    stream.respond({ ':status': status, ...headers });
    if (!closes) return stream.end(body);
    stream.write(body);
    await sleep(AWAY_MS);
    stream.session?.destroy();
  });
  await new Promise<void>((resolve) => server.listen(port, ip, resolve));
  return (server.address() as { port: number }).port;
}

process.on('SIGTERM', () => process.exit(0));
process.stdin.on('close', () => process.exit(0)).resume();
const origins: Record<string, string> = {};
for (const listen of values.listen) {
  const [host = '', address = ''] = listen.split('=');
  const [ip = '', port] = address.split(':');
  const certificate = readFileSync(path.join(certs, `${host}.pem`), 'utf8');
  const key = readFileSync(path.join(certs, `${host}.key`), 'utf8');
  const listener = { ip, port: Number(port), certificate, key };
  origins[host] = `${ip}:${await (protocol === 'h3' ? listenByHttp3 : listenByHttp2)(listener)}`;
}
console.log(JSON.stringify({ ready: true, protocol, origins }));
