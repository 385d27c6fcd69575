import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { IMPORT_LIMITS } from '../../cache/limits.ts';
import { hostsOf, type Resource, type SiteManifest } from '../../cache/manifest.ts';
import { SERVER_HEADERS } from '../../cache/response-headers.ts';
import { ensureCertificates } from '../../certs/certificates.ts';
import type { Protocol } from '../../ground/records/protocol.ts';
import { type Stack, usualCongestionControl } from '../../ground/stack.ts';
import { ServerError } from '../../ground/system/errors.ts';
import { programOf, type Server, withServers } from '../../runner/servers.ts';
import { type Reply, replayOf } from '../../servers/replay/replay.ts';
import { ensureLeaves } from '../leaves.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { type ReplayGroup, readReplayCases } from '../unit/servers/replay-cases.ts';
import type { ExchangeRequest, ExchangeResponse } from './clients/exchange.ts';
import { exchangeWith } from './clients/exchange-with.ts';
import { joinedLines } from './clients/joined-lines.ts';
import { loopbackAddresses } from './loopback.ts';
import { type FixtureResource, writeFixtureSite } from './site-fixture.ts';
import { TESTED_STACKS } from './tested-stacks.ts';

const HOSTS = ['www.contract.test', 'static.contract.test'];
const [MAIN, STATIC] = HOSTS.map((host) => `https://${host}`);
const STOP_LIMIT_MS = 2000;

/** Too long to be read before it is sent. */
const BIG = Buffer.alloc(3_000_000, 'big');

/** Longest path that import accepts. */
const LONG_PATH = `/${'l'.repeat(IMPORT_LIMITS.urlLength - `${MAIN}/`.length)}`;

// One of everything that a page may hold and a server may get wrong.
const RESOURCES: FixtureResource[] = [
  {
    url: `${MAIN}/`,
    type: 'document',
    headers: [
      ['content-type', 'text/html; charset=utf-8'],
      ['set-cookie', 'a=1; Secure; Path=/'],
      ['set-cookie', 'b=2; Expires=Wed, 09 Jun 2100 10:18:14 GMT'],
      ['link', '</style.css>; rel=preload; as=style'],
      ['link', '</font.woff2>; rel=preload; as=font'],
      ['x-empty', ''],
      ['content-security-policy', "default-src 'self' https: 'unsafe-inline'"],
      ['x-long', 'x'.repeat(5000)],
    ],
    body: '<!doctype html><title>contract</title>'.repeat(50),
    gzip: true,
  },
  { url: `${MAIN}/plain`, headers: [['content-type', 'text/plain']], body: 'plain' },
  { url: `${MAIN}/untyped`, body: 'a body without a content type' },
  { url: `${MAIN}/untyped.html`, body: '<p>untyped</p>'.repeat(100_000) },
  { url: `${MAIN}/empty-type`, headers: [['content-type', '']], body: 'an empty content type' },
  { url: `${MAIN}/empty`, headers: [['content-type', 'image/gif']], body: '' },
  { url: `${MAIN}/no-body`, headers: [['content-type', 'image/gif']] },
  { url: `${MAIN}/no-content`, status: 204 },
  { url: `${MAIN}/moved`, status: 302, headers: [['location', `${STATIC}/big.png?a=%2F&b=c+d`]] },
  {
    url: `${MAIN}/moved-oddly`,
    status: 301,
    headers: [
      ['location', '/a|b[c]{d}?e=|'],
      ['content-location', '/x|y'],
    ],
  },
  {
    url: `${MAIN}/gone`,
    status: 404,
    headers: [['content-type', 'text/html']],
    body: 'recorded 404',
  },
  { url: `${MAIN}/broken`, status: 503, headers: [['retry-after', '10']], body: 'recorded 503' },
  {
    url: `${MAIN}/instructions`,
    // Headers that programs behind servers interpret, and names of object members, are ordinary
    // headers here.
    headers: [
      ['content-type', 'text/plain'],
      ['status', '404 Not Found'],
      ['via', '1.1 cache.test'],
      ['x-accel-redirect', '/plain'],
      ['x-sendfile', '/etc/hostname'],
      ['x-sendfile-type', 'X-Accel-Redirect'],
      ['constructor', 'abc'],
      ['tostring', 'def'],
      ['__proto__', 'ghi'],
    ],
    body: 'a page',
  },
  { url: `${MAIN}/double//slash/`, headers: [['content-type', 'text/css']], body: 'a{}' },
  ...['%0a', '%0d%0a', '%09', '%00', '%7f'].map((character) => ({
    url: `${MAIN}/control${character}character?a=${character}`,
    headers: [['content-type', 'text/plain']] as [string, string][],
    body: `with ${character}`,
  })),
  {
    url: `${MAIN}/%C3%A9t%C3%A9?q=%20&empty=`,
    headers: [['content-type', 'text/css']],
    body: 'b{}',
  },
  { url: `${MAIN}/a|b[c]?d=|`, headers: [['content-type', 'text/css']], body: 'd{}' },
  { url: `${MAIN}/?query=only`, headers: [['content-type', 'text/css']], body: 'c{}' },
  {
    url: `${MAIN}/beacon`,
    method: 'POST',
    headers: [['content-type', 'text/plain']],
    body: 'thanks',
  },
  { url: `${MAIN}/beacon`, method: 'GET', headers: [['content-type', 'text/plain']], body: 'get' },
  {
    url: `${STATIC}/big.png?a=%2F&b=c+d`,
    headers: [
      ['content-type', 'image/png'],
      ['access-control-allow-origin', '*'],
    ],
    body: BIG,
  },
  { url: `${STATIC}/`, headers: [['content-type', 'text/plain']], body: 'the other host' },
  { url: `${MAIN}${LONG_PATH}`, headers: [['content-type', 'text/plain']], body: 'a long URL' },
];

/** A site in a temporary folder, with certificates. */
async function withContractSite<T>(
  use: (site: {
    folder: string;
    manifest: SiteManifest;
    certs: string;
    temporary: string;
  }) => Promise<T>,
): Promise<T> {
  return withTemporaryFolder(async (temporary) => {
    const folder = path.join(temporary, 'contract');
    const certs = path.join(temporary, 'certs');
    const manifest = await writeFixtureSite(folder, RESOURCES);
    await ensureLeaves(HOSTS, certs);
    return use({ folder, manifest, certs, temporary });
  });
}

function serverOptions(stack: Stack, site: { folder: string; certs: string; temporary: string }) {
  return {
    stacks: [stack],
    site: 'contract',
    siteFolder: site.folder,
    addresses: loopbackAddresses(HOSTS),
    enter: [],
    logsFolder: site.temporary,
    certsFolder: site.certs,
  };
}

function requestOf(resource: Pick<Resource, 'method' | 'url'>): ExchangeRequest {
  const url = new URL(resource.url);
  return { host: url.host, method: resource.method, path: `${url.pathname}${url.search}` };
}

/** Response for a resource according to the contract. */
function expectedHeaders(resource: Resource): Record<string, string> {
  const expected = joinedLines(resource.headers);
  if (resource.status !== 204) expected['content-length'] = String(resource.wireBytes);
  return expected;
}

/** Received fields without an empty content type that was not recorded, which means no type too. */
function typedOf(fields: Record<string, string>, recorded: Resource['headers']) {
  const { 'content-type': type, ...rest } = fields;
  return type === '' && !recorded.some(([name]) => name === 'content-type') ? rest : fields;
}

/** Starts a stack's program by hand, as the contract requires. */
function startByHand(
  stack: Stack,
  site: { folder: string; certs: string },
  further: readonly string[] = [],
): ChildProcess {
  const listens = HOSTS.flatMap((host) => ['--listen', `${host}=127.0.0.1:0`]);
  const [command = '', ...args] = programOf(stack);
  return spawn(command, [
    ...args,
    '--site',
    site.folder,
    '--certs',
    site.certs,
    ...listens,
    ...further,
  ]);
}

/** Starts a stack's program by hand and ends it; `lines` are those after its ready line. */
async function withProgram<T>(
  stack: Stack,
  site: { folder: string; certs: string },
  further: readonly string[],
  use: (server: Pick<Server, 'stack' | 'origins'>, lines: string[]) => Promise<T>,
): Promise<T> {
  const child = startByHand(stack, site, further);
  const ended = once(child, 'exit');
  let result: T;
  try {
    if (!child.stdout) throw new Error('no stdout');
    const lines: string[] = [];
    const stdout = createInterface(child.stdout);
    const [ready] = await once(stdout, 'line');
    stdout.on('line', (line) => lines.push(line));
    result = await use({ stack, origins: JSON.parse(ready).origins }, lines);
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
  assert.equal(child.exitCode, 0);
  return result;
}

/** Sets the recorded server time of resources of a site on disk. */
async function writeWaits(
  siteFolder: string,
  waitsMs: Readonly<Record<string, number>>,
): Promise<void> {
  const file = path.join(siteFolder, 'index.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as SiteManifest;
  for (const resource of manifest.resources) {
    const waitMs = waitsMs[resource.url];
    if (waitMs !== undefined) resource.waitMs = waitMs;
  }
  await writeFile(file, JSON.stringify(manifest));
}

/** The site of a group of cases; every byte of a body identifies its position. */
async function writeGroupSite(folder: string, { site }: ReplayGroup): Promise<SiteManifest> {
  const resources = site.resources.map((resource): FixtureResource => {
    const { url, method, status, wireBytes } = resource;
    const gzip = resource.headers.some(([name]) => name === 'content-encoding');
    const headers = resource.headers.filter(([name]) => name !== 'content-encoding');
    const body = Buffer.from(Array.from({ length: wireBytes }, (_, index) => index % 251));
    return { url, method, status, headers, gzip, body: wireBytes > 0 ? body : undefined };
  });
  return writeFixtureSite(folder, resources, { recordedAt: site.recordedAt });
}

/** Bytes of the body that a server sends for a reply. */
async function bytesOf({ resource, bytes }: Reply, siteFolder: string): Promise<Buffer> {
  if (resource?.body == null || bytes === null) return Buffer.alloc(0);
  const body = await readFile(path.join(siteFolder, resource.body));
  return body.subarray(bytes.first, bytes.last + 1);
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Waits until a server has printed a matching line; its log arrives asynchronously. */
async function lineWith(lines: readonly string[], text: string): Promise<string> {
  for (;;) {
    const found = lines.find((line) => line.includes(text));
    if (found !== undefined) return found;
    await sleep(10);
  }
}

/** A port that was free a moment ago. */
async function freePort(address: string): Promise<number> {
  const server = net.createServer().listen(0, address);
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('no stdout');
  const [line] = await once(createInterface(child.stdout), 'line');
  return line;
}

/** Each stack by each protocol of its requests, at the same address, and those that can also with bodies by priority. */
const SPOKEN = TESTED_STACKS.flatMap((stack) =>
  stack.protocol.split('+').flatMap((each) => {
    const protocol = each as Protocol;
    const { programArguments = [], selectableOrder } = stack;
    const more = [...programArguments, '--response-order', 'by-priority'];
    return [
      { stack, protocol, by: each === stack.protocol ? '' : ` by ${each}` },
      ...(selectableOrder
        ? [{ stack: { ...stack, programArguments: more }, protocol, by: ' by priority' }]
        : []),
    ];
  }),
);

for (const { stack, protocol, by } of SPOKEN) {
  const exchange = ({ origins }: Pick<Server, 'origins'>, requests: readonly ExchangeRequest[]) =>
    exchangeWith({ stack: { ...stack, protocol }, origins }, requests);

  describe(`${stack.stack} keeps the server contract${by}:`, () => {
    test('answers every resource with the recorded status, headers and bytes', () =>
      withContractSite((site) =>
        withServers(serverOptions(stack, site), async ([server]) => {
          assert.ok(server);
          const { resources } = site.manifest;
          const beforeMs = Date.now();
          const responses = await exchange(server, resources.map(requestOf));
          const afterMs = Date.now();
          for (const [index, resource] of resources.entries()) {
            const response = responses[index] as ExchangeResponse;
            const where = `${resource.method} ${resource.url}`;
            assert.equal(response.status, resource.status, where);
            assert.equal(response.bytes, resource.wireBytes, where);
            const emptySha256 = createHash('sha256').digest('hex');
            assert.equal(response.sha256, resource.sha256 ?? emptySha256, where);
            const { date, connection: _, 'keep-alive': __, ...rest } = joinedLines(response.lines);
            const { 'alt-svc': alternative, ...headers } = rest;
            assert.equal(alternative, 'h3=":443"; ma=86400', where);
            // In whole seconds, and a server may reuse its date for one more.
            const dateMs = Date.parse(date ?? '');
            assert.ok(dateMs > beforeMs - 2000 && dateMs <= afterMs, `${where}: date ${date}`);
            assert.deepEqual(typedOf(headers, resource.headers), expectedHeaders(resource), where);
          }
        }),
      ));

    test('answers hosts that share an address and a certificate on one socket, each with its own content', () =>
      withContractSite(async (site) => {
        const certsFolder = await ensureCertificates(
          HOSTS,
          { chain: 'realistic', origins: 'shared' },
          path.join(site.temporary, 'shared'),
        );
        const addresses = Object.fromEntries(HOSTS.map((host) => [host, '127.0.1.1']));
        const options = { ...serverOptions(stack, site), certsFolder, addresses };
        await withServers(
          { ...options, firstPort: await freePort('127.0.1.1') },
          async ([server]) => {
            assert.ok(server);
            const [first, second] = HOSTS.map((host) => server.origins[host]);
            assert.equal(first, second);
            const wanted = site.manifest.resources.filter(({ url }) => /\/(plain)?$/.test(url));
            const responses = await exchange(server, wanted.map(requestOf));
            assert.deepEqual(
              responses.map(({ sha256 }) => sha256),
              wanted.map(({ sha256 }) => sha256),
            );
            assert.equal(new Set(wanted.map(({ url }) => new URL(url).host)).size, 2);
          },
        );
      }));

    test('ends with both host names if hosts share an address but not a certificate', () =>
      withContractSite(async (site) => {
        const addresses = Object.fromEntries(HOSTS.map((host) => [host, '127.0.1.1']));
        const options = { ...serverOptions(stack, site), addresses };
        await assert.rejects(
          withServers({ ...options, firstPort: await freePort('127.0.1.1') }, async () =>
            assert.fail('it started'),
          ),
          (error: Error) =>
            error instanceof ServerError &&
            HOSTS.every((host) => error.message.includes(`${host}.pem`)),
        );
      }));

    test('answers requests with the longest path and the largest cookies that import accepts', () =>
      withContractSite(async (site) => {
        const [host = ''] = HOSTS;
        const cookies = (bytes: number) => {
          const value = 'x'.repeat(4_000);
          const count = Math.floor(bytes / 4_010);
          return Array.from({ length: count }, (_, index) => `c${index}=${value}`).join('; ');
        };
        const { cookieBytes } = IMPORT_LIMITS;
        await withServers(serverOptions(stack, site), async ([server]) => {
          assert.ok(server);
          const responses = await exchange(server, [
            { host, method: 'GET', path: '/plain', headers: { cookie: cookies(cookieBytes) } },
            // Node's client sends no more than 64 kB of header fields by HTTP/2.
            { host, method: 'GET', path: LONG_PATH, headers: { cookie: cookies(44_000) } },
          ]);
          assert.deepEqual(
            responses.map(({ status }) => status),
            [200, 200],
          );
        });
      }));

    test('answers unknown paths with 404, an empty body and a log line', () =>
      withContractSite(async (site) => {
        const [host] = HOSTS as [string];
        const requests = [
          { host, method: 'GET', path: '/unknown' },
          { host, method: 'GET', path: '/unknown?query=only' },
          { host: HOSTS[1] as string, method: 'GET', path: '/plain?query=other' },
          { host, method: 'POST', path: '/plain' },
          { host, method: 'GET', path: '/../../../../../../etc/passwd' },
          { host, method: 'GET', path: '/%2e%2e/%2e%2e/index.json' },
          { host, method: 'GET', path: '/bodies/0' },
          { host, method: 'GET', path: '/index.json' },
          { host, method: 'OPTIONS', path: '/beacon' },
        ];
        await withServers(serverOptions(stack, site), async ([server]) => {
          assert.ok(server);
          const responses = await exchange(server, requests);
          for (const [index, response] of responses.entries()) {
            assert.equal(response.status, 404, requests[index]?.path);
            assert.equal(response.bytes, 0, requests[index]?.path);
            assert.deepEqual(
              response.lines.filter(([each]) => !SERVER_HEADERS.has(each)),
              [],
            );
          }
        });
        const log = await readFile(
          path.join(site.temporary, `contract.${stack.stack}.log`),
          'utf8',
        );
        const logged = log
          .split('\n')
          .filter((line) => line.startsWith('{'))
          .map((line) => JSON.parse(line))
          // Not the ready line, and no messages in JSON.
          .filter(({ method }) => method !== undefined);
        assert.equal(logged.length, requests.length);
        assert.deepEqual(
          logged.map(({ method, status, bytes }) => `${method} ${status} ${bytes}`).sort(),
          requests.map(({ method }) => `${method} 404 0`).sort(),
        );
        assert.ok(logged.some(({ path: logPath }) => logPath === '/unknown'));
        assert.ok(logged.every(({ match }) => match === 'none'));
      }));

    test('logs how each request was matched, and the substitute of an inexact match', () =>
      withContractSite((site) =>
        withProgram(stack, site, [], async (server, lines) => {
          const [host] = HOSTS as [string];
          for (const requestPath of ['/?query=only', '/?query=other', '/unknown']) {
            await exchange(server, [{ host, method: 'GET', path: requestPath }]);
            await lineWith(lines, requestPath);
          }
          const matches = lines.map((line) => {
            const { match, recorded } = JSON.parse(line);
            return [match, recorded];
          });
          assert.deepEqual(matches, [
            ['exact', undefined],
            ['query', `${MAIN}/?query=only`],
            ['none', undefined],
          ]);
        }),
      ));

    for (const group of readReplayCases()) {
      test(`follows the rules of replay: ${group.rules}`, () =>
        withTemporaryFolder(async (temporary) => {
          const siteFolder = path.join(temporary, 'replay');
          const manifest = await writeGroupSite(siteFolder, group);
          const hosts = hostsOf(manifest);
          const certsFolder = path.join(temporary, 'certs');
          await ensureLeaves(hosts, certsFolder);
          // A name with capitals or a port has no address of its own here.
          const cases = group.cases.filter(({ request }) => hosts.includes(request.host));
          const options = {
            ...serverOptions(stack, { folder: siteFolder, certs: certsFolder, temporary }),
            site: 'replay',
            addresses: loopbackAddresses(hosts),
          };
          const { subResources } = group.site;
          const responses = await withServers({ ...options, subResources }, async ([server]) => {
            assert.ok(server);
            return exchange(
              server,
              cases.map(({ request }) => request),
            );
          });
          const replay = replayOf(manifest, subResources);
          for (const [index, { name, request }] of cases.entries()) {
            const { lines, status, ...body } = responses[index] as ExchangeResponse;
            const { connection: _, 'keep-alive': __, ...fields } = joinedLines(lines);
            // By its own clock: its times must be consistent.
            const nowMs = Date.parse(fields.date ?? '');
            const reply = replay({ ...request, header: (each) => request.headers[each] }, nowMs);
            const expected = await bytesOf(reply, siteFolder);
            assert.deepEqual(
              { status, fields: typedOf(fields, reply.headers), body },
              {
                status: reply.status,
                fields: joinedLines(reply.headers),
                body: { bytes: expected.length, sha256: sha256(expected) },
              },
              name,
            );
          }
        }));
    }

    test('ignores an unexpected request body, and answers it and the next request', () =>
      withContractSite((site) =>
        withProgram(stack, site, [], async (server) => {
          const [host] = HOSTS as [string];
          const post = { host, method: 'POST', path: '/beacon', body: 'x'.repeat(300_000) };
          const unknown = { ...post, path: '/nobody-listens' };
          const next = { host, method: 'GET', path: '/plain' };
          const responses = await exchange(server, [post, unknown, next, post, next, next, next]);
          assert.deepEqual(
            responses.map(({ status }) => status),
            [200, 404, 200, 200, 200, 200, 200],
          );
        }),
      ));

    test('accepts more than memory can hold: answers an upload of 160 MB at its end, and logs its bytes', () =>
      withContractSite((site) =>
        withProgram(stack, site, [], async (server, lines) => {
          const [host] = HOSTS as [string];
          const times = 160;
          const body = 'x'.repeat(1_000_000);
          const request = { host, method: 'POST', path: '/beacon', body, times };
          const [response] = await exchange(server, [request]);
          assert.equal(response?.status, 200);
          const { received, bytes } = JSON.parse(await lineWith(lines, '/beacon'));
          assert.equal(received, times * body.length);
          assert.equal(bytes, 'thanks'.length);
        }),
      ));

    test('sends any part of a body that is too long to be read first', () =>
      withContractSite((site) =>
        withServers(serverOptions(stack, site), async ([server]) => {
          assert.ok(server);
          const parts: [first: number, last: number][] = [
            [0, 1_499_999],
            [1_500_000, 2_999_999],
            [7, 1_999_999],
          ];
          const host = HOSTS[1] as string;
          const responses = await exchange(
            server,
            parts.map(([first, last]) => ({
              host,
              method: 'GET',
              path: '/big.png?a=%2F&b=c+d',
              headers: { range: `bytes=${first}-${last}` },
            })),
          );
          for (const [index, [first, last]] of parts.entries()) {
            const { status, lines, sha256: got } = responses[index] as ExchangeResponse;
            const { 'content-range': range, 'content-length': length } = joinedLines(lines);
            assert.equal(status, 206);
            assert.equal(range, `bytes ${first}-${last}/3000000`);
            assert.equal(Number(length), last - first + 1);
            assert.equal(got, sha256(BIG.subarray(first, last + 1)));
          }
        }),
      ));

    test('waits with --think recorded as long as the recorded server took, without delaying other requests', () =>
      withContractSite(async (site) => {
        // Long enough for all requests to arrive before, on a busy machine too.
        const slowMs = 4000;
        await writeWaits(site.folder, { [`${MAIN}/gone`]: slowMs });
        await withProgram(stack, site, ['--think', 'recorded'], async (server, lines) => {
          const [host] = HOSTS as [string];
          const slow = { host, method: 'GET', path: '/gone' };
          const startMs = performance.now();
          const fast = { host, method: 'GET', path: '/plain' };
          const responses = await exchange(server, [slow, slow, slow, fast]);
          assert.ok(performance.now() - startMs >= slowMs);
          assert.deepEqual(
            responses.map(({ status }) => status),
            [404, 404, 404, 200],
          );
          await lineWith(lines, '/gone');
          assert.match(lines[0] ?? '', /"\/plain"/);
        });
      }));

    // Over HTTP/1.1 each would have a connection, and browsers have 256 in all.
    if (protocol === 'h2' || protocol === 'h3') {
      test("delays no request with --think recorded beyond the number of a browser's connections", () =>
        withContractSite(async (site) => {
          await writeWaits(site.folder, { [`${MAIN}/gone`]: 600_000 });
          await withProgram(stack, site, ['--think', 'recorded'], async (server) => {
            const host = HOSTS[0] as string;
            const slow = Array.from({ length: 90 }, () => ({ host, method: 'GET', path: '/gone' }));
            for (let clients = 0; clients < 3; clients++) {
              exchange(server, slow).catch(() => {});
            }
            // Until they have arrived.
            await sleep(2000);
            const fast = exchange(server, [{ host, method: 'GET', path: '/plain' }]);
            const [response] = await Promise.race([fast, sleep(30_000, [], { ref: false })]);
            assert.equal(response?.status, 200);
          });
        }));
    }

    test('does not wait without --think recorded', () =>
      withContractSite(async (site) => {
        await writeWaits(site.folder, { [`${MAIN}/plain`]: 600_000 });
        await withProgram(stack, site, [], async (server) => {
          const [response] = await exchange(server, [
            { host: HOSTS[0] as string, method: 'GET', path: '/plain' },
          ]);
          assert.equal(response?.status, 200);
        });
      }));

    test('ends on SIGTERM also while a request waits', () =>
      withContractSite(async (site) => {
        await writeWaits(site.folder, { [`${MAIN}/plain`]: 600_000 });
        let startMs = 0;
        await withProgram(stack, site, ['--think', 'recorded'], async (server) => {
          const host = HOSTS[0] as string;
          exchange(server, [{ host, method: 'GET', path: '/plain' }]).catch(() => {});
          await exchange(server, [{ host, method: 'GET', path: '/empty' }]);
          startMs = performance.now();
        });
        assert.ok(performance.now() - startMs < STOP_LIMIT_MS);
      }));

    test('ends on an unknown argument, and lists the known ones', () =>
      withContractSite(async (site) => {
        const wrong = {
          '--think': /--think.*hard.*off.*recorded/s,
          '--sub-resources': /--sub-resources.*hard.*served.*missing/s,
          ...(stack.keyExchanges && {
            '--key-exchange': /--key-exchange.*hard.*x25519.*x25519mlkem768/s,
          }),
          ...(stack.transport && {
            '--cc': new RegExp(`--cc.*hard.*${stack.transport.congestionControls.join('.*')}`, 's'),
          }),
          ...(stack.transport?.reportsSamples && { '--sample': /--sample.*hard.*1 to 1000/s }),
        };
        for (const [argument, expected] of Object.entries(wrong)) {
          const child = startByHand(stack, site, [argument, 'hard']);
          let said = '';
          child.stderr?.on('data', (text) => {
            said += text;
          });
          const [status] = await once(child, 'close');
          assert.notEqual(status, 0);
          assert.match(said, expected);
        }
      }));

    test('answers 500 and names the file if a body is missing, links elsewhere, or has another size', () =>
      withContractSite(async (site) => {
        await withServers(serverOptions(stack, site), async ([server]) => {
          assert.ok(server);
          const plain = site.manifest.resources.find(({ url }) => url.endsWith('/plain'));
          assert.ok(plain?.body);
          const file = path.join(site.folder, plain.body);
          const outside = path.join(site.temporary, 'outside');
          await rename(file, outside);
          const [gone] = await exchange(server, [requestOf(plain)]);
          assert.equal(gone?.status, 500);
          await symlink(outside, file);
          const [linked] = await exchange(server, [requestOf(plain)]);
          assert.equal(linked?.status, 500);
          const big = site.manifest.resources.find(({ wireBytes }) => wireBytes === BIG.length);
          assert.ok(big?.body);
          const bigFile = path.join(site.folder, big.body);
          const whole = path.join(site.temporary, 'whole');
          await rename(bigFile, whole);
          await symlink(whole, bigFile);
          const [bigLinked] = await exchange(server, [requestOf(big)]);
          assert.equal(bigLinked?.status, 500);
          await rm(bigFile);
          await writeFile(bigFile, BIG.subarray(1));
          const [shorter] = await exchange(server, [requestOf(big)]);
          assert.equal(shorter?.status, 500);
        });
        const log = await readFile(
          path.join(site.temporary, `contract.${stack.stack}.log`),
          'utf8',
        );
        assert.match(log, /bodies\/1/);
      }));

    test('ends on a damaged manifest, a missing one, and a body outside the folder, and names the file', () =>
      withContractSite(async (site) => {
        const file = path.join(site.folder, 'index.json');
        const outside = (await readFile(file, 'utf8')).replace('bodies/1"', '../../etc/passwd"');
        for (const text of ['{"formatVersion": 1, "resources"', '{"formatVersion": 99}', outside]) {
          await writeFile(file, text);
          await assert.rejects(
            withServers(serverOptions(stack, site), async () => assert.fail('it started')),
            (error: Error) => error instanceof ServerError && error.message.includes(file),
          );
        }
        await rm(file);
        await assert.rejects(
          withServers(serverOptions(stack, site), async () => assert.fail('it started')),
          (error: Error) => error instanceof ServerError && error.message.includes(file),
        );
      }));

    test('ends if the folder of the bodies is a link elsewhere, and names it', () =>
      withContractSite(async (site) => {
        const bodies = path.join(site.folder, 'bodies');
        const outside = path.join(site.temporary, 'outside');
        await rename(bodies, outside);
        await symlink(outside, bodies);
        await assert.rejects(
          withServers(serverOptions(stack, site), async () => assert.fail('it started')),
          (error: Error) => error instanceof ServerError && error.message.includes(bodies),
        );
      }));

    test('ends on a taken port, and logs the address', () =>
      withContractSite(async (site) => {
        // Both kinds of socket on one port: UDP blocks QUIC, TCP the other protocols.
        const tcp = net.createServer().listen(0, '127.0.1.1');
        await once(tcp, 'listening');
        const { port } = tcp.address() as net.AddressInfo;
        const { createSocket } = await import('node:dgram');
        const udp = createSocket('udp4').bind(port, '127.0.1.1');
        await once(udp, 'listening');
        try {
          await assert.rejects(
            withServers({ ...serverOptions(stack, site), firstPort: port }, async () =>
              assert.fail('it started'),
            ),
            (error: Error) =>
              error instanceof ServerError && error.message.includes(`127.0.1.1:${port}`),
          );
        } finally {
          tcp.close();
          udp.close();
        }
      }));

    test('reports its program and, for QUIC, its initial window', () =>
      withContractSite((site) =>
        withServers(serverOptions(stack, site), async ([server]) => {
          assert.ok(server);
          const { program, language, congestionControl, initialWindowPackets } = server.details;
          assert.match(program ?? '', /^\S+ \d+\.\d+/);
          assert.ok(language);
          // A value that differs from its description would invalidate comparisons.
          const { transport } = stack;
          assert.equal(congestionControl, transport && usualCongestionControl(transport));
          const isReported = transport && transport.initialWindowSource === undefined;
          assert.equal(
            Number(initialWindowPackets ?? 0),
            isReported ? transport.initialWindowPackets : 0,
          );
        }),
      ));

    test('accepts each congestion control of its description for QUIC, and reports it', () =>
      withContractSite(async (site) => {
        for (const congestionControl of stack.transport?.congestionControls ?? []) {
          const options = { ...serverOptions(stack, site), congestionControl };
          await withServers(options, async ([server]) => {
            assert.equal(server?.details.congestionControl, congestionControl);
          });
        }
      }));

    test('ends on SIGTERM within 2 s with status 0, also with a connection open', () =>
      withContractSite(async (site) => {
        const child = startByHand(stack, site);
        const { origins } = JSON.parse(await firstLine(child));
        const [ip, port] = origins[HOSTS[0] as string].split(':');
        const open = protocol === 'h3' ? null : net.connect(Number(port), ip);
        open?.on('error', () => {});
        const startMs = performance.now();
        child.kill('SIGTERM');
        const [status] = await once(child, 'exit');
        open?.destroy();
        assert.equal(status, 0);
        assert.ok(performance.now() - startMs < STOP_LIMIT_MS);
      }));

    test('ends when its stdin closes', () =>
      withContractSite(async (site) => {
        const child = startByHand(stack, site);
        await firstLine(child);
        const startMs = performance.now();
        child.stdin?.end();
        await once(child, 'exit');
        assert.ok(performance.now() - startMs < STOP_LIMIT_MS);
      }));
  });
}
