// A user's own server, with no more of the contract than a run needs: no details in the ready line,
// no access log, and a deviation. The first argument selects it.
import { readFileSync } from 'node:fs';
import http2 from 'node:http2';
import https from 'node:https';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { readManifest } from '../../../cache/manifest.ts';

const [variant, ...words] = process.argv.slice(2);
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
const { site, certs } = values;
const protocol = variant === 'other protocol' ? 'http/1.1' : values.protocol;
if (variant === 'chatty') console.log('Listening!');
if (variant === 'endless line') {
  printEndless();
  // The line has no end, so nothing follows it.
  await new Promise(() => {});
}
if (variant === 'refuses-all' || (variant === 'refuses' && protocol === 'h3')) {
  console.error('this server has no HTTP/3');
  process.exit(1);
}

const { resources } = await readManifest(site);
/** Makes a page load more than twice as long, also on a busy machine. */
const SLOW_MS = 500;
const MAX_ANSWERS = 3;
let answers = 0;

/** Prints a line without end. */
function printEndless(): void {
  process.stdout.write('a'.repeat(65_536), () => printEndless());
}

async function answer(
  request: http2.Http2ServerRequest,
  response: http2.Http2ServerResponse,
): Promise<void> {
  answers += 1;
  if (variant === 'dies' && answers > MAX_ANSWERS) process.exit(1);
  if (variant === 'endless line later' && answers > MAX_ANSWERS) {
    printEndless();
    return;
  }
  if (variant === 'slow') await sleep(SLOW_MS);
  const url = `https://${request.headers[':authority'] ?? request.headers.host}${request.url}`;
  const found = resources.find((each) => each.method === request.method && each.url === url);
  const resource = variant === 'other site' ? undefined : found;
  response.statusCode = resource?.status ?? (variant === 'other site' ? 200 : 404);
  for (const [name, value] of resource?.headers ?? []) response.appendHeader(name, value);
  if (variant === 'wrong bodies' && resource?.type === 'stylesheet') {
    response.removeHeader('content-encoding');
    response.end('abc');
    return;
  }
  const body = resource?.body ? readFileSync(path.join(site, resource.body)) : null;
  if (variant === 'other bytes' && body && resource?.type === 'stylesheet') {
    response.removeHeader('content-encoding');
    const decoded = resource.contentEncoding === 'gzip' ? gunzipSync(body) : body;
    response.end(decoded.fill(' ', decoded.length - 1));
    return;
  }
  response.end(body ?? 'another site');
}

const origins: Record<string, string> = {};
for (const listen of values.listen) {
  const [host = '', address = ''] = listen.split('=');
  const [ip = '', port] = address.split(':');
  const identity = {
    cert: readFileSync(path.join(certs, `${host}.pem`)),
    key: readFileSync(path.join(certs, `${host}.key`)),
  };
  const server =
    protocol === 'h2'
      ? http2.createSecureServer(identity, answer)
      : https.createServer(identity, answer as never);
  await new Promise<void>((resolve) => server.listen(Number(port), ip, resolve));
  origins[host] = `${ip}:${(server.address() as { port: number }).port}`;
}
process.on('SIGTERM', () => {
  if (variant !== 'stays') process.exit(0);
});
process.stdin.on('close', () => process.exit(0)).resume();
console.log(JSON.stringify({ ready: true, protocol, origins }));
