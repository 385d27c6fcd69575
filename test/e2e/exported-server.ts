import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sitesFolder } from '../../cache/catalogue.ts';
import { exportCommand } from '../../cache/export.ts';
import type { ExportFormat } from '../../cache/exporters/exporter.ts';
import { hostsOf, type Resource, type SiteManifest } from '../../cache/manifest.ts';
import { ensureCertificates } from '../../certs/certificates.ts';
import type { Protocol } from '../../ground/records/protocol.ts';
import { ServerError } from '../../ground/system/errors.ts';
import { type Server, type ServersOptions, withServers } from '../../runner/servers.ts';
import { ownStack } from '../../servers/own-stack.ts';
import { isInstalled } from '../../setup/system-programs.ts';
import { ensureLeaves } from '../leaves.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import type { ExchangeRequest, ExchangeResponse } from './clients/exchange.ts';
import { exchangeWith } from './clients/exchange-with.ts';
import { joinedLines } from './clients/joined-lines.ts';
import { startBenchmark } from './command.ts';
import { assertNoProcessLeft } from './left-behind.ts';
import { loopbackAddresses } from './loopback.ts';
import { readPageLoads } from './page-loads.ts';
import { type FixtureResource, writeFixtureSite } from './site-fixture.ts';
import { assertMostlyOk } from './whole-run.ts';

const [MAIN, STATIC] = ['https://www.exported.test', 'https://static.exported.test'];

/** Values that configurations misread, and that servers add or change by themselves. */
const RESOURCES: FixtureResource[] = [
  {
    url: `${MAIN}/`,
    type: 'document',
    headers: [
      ['content-type', 'text/html; charset=utf-8'],
      ['set-cookie', 'a=1; Secure; Path=/'],
      ['set-cookie', 'b="2"; Expires=Wed, 09 Jun 2100 10:18:14 GMT'],
      ['link', '</style.css>; rel=preload; as=style'],
      ['link', '</font.woff2>; rel=preload; as=font'],
      [
        'content-security-policy',
        `default-src 'self' "unsafe" $host \${x} %{HTTP_HOST}e {http.request.host} {unclosed`,
      ],
      ['x-odd', String.raw`\ "a\" \{b\} \$c \\ end\ `.trim()],
      ['x-brace', '{'],
      ['x-long', 'x$'.repeat(3500)],
      ['etag', 'W/"abc"'],
      ['last-modified', 'Wed, 09 Jun 2021 10:18:14 GMT'],
      ['vary', 'accept-encoding,origin'],
    ],
    body: '<!doctype html><title>exported</title>'.repeat(50),
    gzip: true,
  },
  { url: `${MAIN}/plain`, headers: [['content-type', 'text/plain']], body: 'plain' },
  { url: `${MAIN}/PLAIN`, headers: [['content-type', 'text/plain']], body: 'in capitals' },
  { url: `${MAIN}/untyped.html`, body: '<p>untyped</p>'.repeat(1000) },
  { url: `${MAIN}/empty`, headers: [['content-type', 'image/gif']], body: '' },
  { url: `${MAIN}/no-body`, headers: [['content-type', 'image/gif']] },
  { url: `${MAIN}/no-content`, status: 204 },
  { url: `${MAIN}/moved`, status: 302, headers: [['location', `${STATIC}/big.png?a=%2F&b=c+d`]] },
  { url: `${MAIN}/moved-near`, status: 301, headers: [['location', '/plain']] },
  {
    url: `${MAIN}/moved-oddly`,
    status: 307,
    headers: [['location', '/a|b[c]{d}?e=|']],
    body: 'moved',
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
    // Headers that servers interpret from programs behind them are recorded headers here.
    headers: [
      ['content-type', 'text/plain'],
      ['status', '404 Not Found'],
      ['x-accel-redirect', '/plain'],
      ['x-accel-limit-rate', '1'],
      ['x-accel-expires', '0'],
      ['x-sendfile', '/etc/hostname'],
      ['x-sendfile-type', 'X-Accel-Redirect'],
      ['x-lighttpd-send-file', '/etc/hostname'],
      ['x-litespeed-location', '/plain'],
      ['x-recorded-location', '/plain'],
      ['x-recorded-1-status', '500 Broken'],
      ['constructor', 'abc'],
      ['__proto__', 'def'],
    ],
    body: 'a page',
  },
  { url: `${MAIN}/double//slash/`, headers: [['content-type', 'text/css']], body: 'a{}' },
  {
    url: `${MAIN}/%C3%A9t%C3%A9?q=%20&empty=`,
    headers: [['content-type', 'text/css']],
    body: 'b{}',
  },
  { url: `${MAIN}/a|b?x={y}$z\\&\`~`, headers: [['content-type', 'text/css']], body: 'odd' },
  { url: `${MAIN}/?query=only`, headers: [['content-type', 'text/css']], body: 'c{}' },
  {
    url: `${MAIN}/long?${'q=1&'.repeat(400)}`,
    headers: [['content-type', 'text/css']],
    body: 'long',
  },
  {
    url: `${MAIN}/beacon`,
    method: 'POST',
    headers: [['content-type', 'text/plain']],
    body: 'thanks',
  },
  { url: `${MAIN}/beacon`, headers: [['content-type', 'text/plain']], body: 'get' },
  {
    url: `${STATIC}/big.png?a=%2F&b=c+d`,
    headers: [
      ['content-type', 'image/png'],
      ['access-control-allow-origin', '*'],
    ],
    body: Buffer.alloc(3_000_000, 'big'),
  },
  { url: `${STATIC}/`, headers: [['content-type', 'text/plain']], body: 'the other host' },
];

/** A server that sites are exported for. */
export interface ExportedServer {
  exported: ExportFormat;
  protocols: readonly Protocol[];
  /** Headers that it always adds. */
  adds: readonly string[];
  /** Its Content-Length of 12 bytes in response to HEAD. */
  headLength: string | undefined;
}

/** Prints what is not tried because the server is missing. */
export function skipped(t: TestContext, { server, format }: ExportFormat): boolean {
  assert.ok(server, format);
  if (isInstalled(server.program)) return false;
  t.skip(`${server.program} is not here; on Debian: apt-get install ${server.from}`);
  return true;
}

interface ExportedFixture {
  manifest: SiteManifest;
  start: string;
  options: (protocol: Protocol) => ServersOptions;
}

/** Writes the site into a folder and exports it. */
export async function withExport<T>(
  { format }: ExportFormat,
  use: (exported: ExportedFixture) => Promise<T>,
): Promise<T> {
  return withTemporaryFolder(async (temporary) => {
    const sites = path.join(temporary, 'sites');
    const siteFolder = path.join(sites, 'exported');
    const certsFolder = path.join(temporary, 'certs');
    const manifest = await writeFixtureSite(siteFolder, RESOURCES);
    const hosts = hostsOf(manifest);
    await ensureLeaves(hosts, certsFolder);
    const out = path.join(temporary, format);
    const print = () => {};
    await exportCommand('exported', { to: format, out }, { sites, exportsFolder: out, print });
    const start = path.join(out, 'start.sh');
    const options = (protocol: Protocol): ServersOptions => ({
      stacks: [ownStack('own', protocol, { program: start })],
      site: 'exported',
      siteFolder,
      addresses: loopbackAddresses(hosts),
      enter: [],
      logsFolder: temporary,
      certsFolder,
    });
    return use({ manifest, start, options });
  });
}

function withExported<T>(
  { options }: ExportedFixture,
  protocol: Protocol,
  use: (server: Server) => Promise<T>,
): Promise<T> {
  return withServers(options(protocol), async ([server]) => {
    assert.ok(server);
    return use(server);
  });
}

function requestOf({ method, url }: Pick<Resource, 'method' | 'url'>): ExchangeRequest {
  const { host } = new URL(url);
  return { host, method, path: url.slice(`https://${host}`.length) };
}

function expectedHeaders({ headers, status, wireBytes }: Resource): Record<string, string> {
  return {
    ...joinedLines(headers),
    'alt-svc': 'h3=":443"; ma=86400',
    ...(status !== 204 && { 'content-length': String(wireBytes) }),
  };
}

function headersOf({ lines }: ExchangeResponse, adds: readonly string[]): Record<string, string> {
  const ofConnection = ['date', 'connection', 'keep-alive', ...adds];
  return joinedLines(lines.filter(([name]) => !ofConnection.includes(name)));
}

const STOP_LIMIT_MS = 2000;
/** A program that ends too late does so each time. */
const MAX_STARTS = 3;
/** After this time, a program counts as hanging. */
const END_LIMIT_MS = 30_000;

/** Starts the program of an export by hand, with a separate folder for its output. */
async function startByHand(
  { start, options, manifest }: ExportedFixture,
  protocol: Protocol,
  temporary: string,
): Promise<{ child: ChildProcess; origins: Record<string, string> }> {
  const { certsFolder = '', siteFolder } = options(protocol);
  const listens = hostsOf(manifest).flatMap((host) => ['--listen', `${host}=127.0.0.1:0`]);
  const child = spawn(
    start,
    ['--protocol', protocol, '--site', siteFolder, '--certs', certsFolder, ...listens],
    { env: { ...process.env, TMPDIR: temporary } },
  );
  const [line] = await once(createInterface(child.stdout), 'line');
  return { child, origins: JSON.parse(line).origins };
}

/** Whether any process has a socket there. */
async function listens(address: string, protocol: Protocol): Promise<boolean> {
  const { stdout } = await promisify(execFile)('ss', [
    '-Hln',
    protocol === 'h3' ? '--udp' : '--tcp',
    `src ${address}`,
  ]);
  return stdout !== '';
}

const STACK_OF: Partial<Record<Protocol, string>> = {
  h3: 'own-h3',
  h2: 'own-h2',
  'h2+h3': 'own-dual',
  'http/1.1': 'own-h1',
};

/** Measures a page by a program, in real loads over a real path. */
export async function assertMeasures(start: string, stacks: readonly string[], temporary: string) {
  const out = path.join(temporary, 'run');
  const run = startBenchmark([
    ...['--sites', 'shower-deck', '--rtt', '0', '--repetitions', '1', '--warm-ups', '1'],
    ...['--seed', '1', '--server', start, '--stacks', stacks.join(), '--out', out],
  ]);
  await run.ended;
  const { pageLoads } = await readPageLoads(out);
  assertMostlyOk(pageLoads);
  await assertNoProcessLeft(run);
}

/** Asserts that the program of an export rejects this, with the reason. */
export function assertServerRefuses(
  { options }: ExportedFixture,
  change: Partial<ServersOptions>,
  part: RegExp,
  protocol: Protocol = 'h2',
): Promise<void> {
  return assert.rejects(
    withServers({ ...options(protocol), ...change }, async () => {}),
    (error: Error) => error instanceof ServerError && part.test(error.message),
  );
}

/** Registers the tests of an exported server. */
export function testExportedServer({
  exported,
  protocols,
  adds,
  headLength,
}: ExportedServer): void {
  const { format } = exported;
  for (const protocol of protocols) {
    test(`serves a site exported for ${format} over ${protocol} with the recorded status, headers and bytes`, async (t) => {
      if (skipped(t, exported)) return;
      await withExport(exported, (fixture) =>
        withExported(fixture, protocol, async (server) => {
          const { resources } = fixture.manifest;
          const responses = await exchangeWith(server, resources.map(requestOf));
          for (const [index, resource] of resources.entries()) {
            const response = responses[index] as ExchangeResponse;
            const where = `${resource.method} ${resource.url}`;
            assert.equal(response.status, resource.status, where);
            assert.equal(response.bytes, resource.wireBytes, where);
            const empty = createHash('sha256').digest('hex');
            assert.equal(response.sha256, resource.sha256 ?? empty, where);
            assert.deepEqual(headersOf(response, adds), expectedHeaders(resource), where);
          }
        }),
      );
    });

    test(`answers unrecorded URLs with an empty 404 of ${format} over ${protocol}, and HEAD like GET`, async (t) => {
      if (skipped(t, exported)) return;
      await withExport(exported, (fixture) =>
        withExported(fixture, protocol, async (server) => {
          const host = 'www.exported.test';
          const missing = [
            { host, method: 'GET', path: '/nowhere' },
            { host, method: 'GET', path: '/plain?x' },
            { host, method: 'POST', path: '/plain' },
            { host, method: 'GET', path: '/.answer/1' },
            { host, method: 'GET', path: '/1.asis' },
            { host, method: 'GET', path: '/plain', headers: { 'service-worker': 'script' } },
            { host: 'static.exported.test', method: 'GET', path: '/plain' },
          ];
          const [head, ...responses] = await exchangeWith(server, [
            { host, method: 'HEAD', path: '/gone' },
            ...missing,
          ]);
          assert.ok(head);
          assert.deepEqual([head.status, head.bytes], [404, 0]);
          assert.equal(headersOf(head, adds)['content-length'], headLength);
          for (const [index, response] of responses.entries()) {
            const where = JSON.stringify(missing[index]);
            assert.deepEqual([response.status, response.bytes], [404, 0], where);
            const headers = headersOf(response, adds);
            assert.deepEqual(headers, { 'alt-svc': 'h3=":443"; ma=86400', 'content-length': '0' });
          }
        }),
      );
    });
  }

  for (const [how, end] of [
    ['SIGTERM', (child: ChildProcess) => child.kill('SIGTERM')],
    ['the end of its stdin', (child: ChildProcess) => child.stdin?.end()],
  ] as const) {
    test(`ends ${format} within 2 s of ${how}, with status 0 and without its files`, async (t) => {
      if (skipped(t, exported)) return;
      await withExport(exported, async (fixture) => {
        const temporary = path.join(path.dirname(fixture.start), '..', 'of its own');
        await mkdir(temporary);
        const [protocol = 'h2'] = protocols;
        for (let starts = 1, tookMs = Infinity; tookMs >= STOP_LIMIT_MS; starts++) {
          assert.ok(starts <= MAX_STARTS, `it took ${tookMs} ms`);
          const { child, origins } = await startByHand(fixture, protocol, temporary);
          const addresses = Object.values(origins);
          assert.equal(new Set(addresses).size, 2, 'port 0 asks for a port for each host');
          assert.equal((await readdir(temporary)).length, 1);
          const ended = once(child, 'exit', { signal: AbortSignal.timeout(END_LIMIT_MS) });
          const startMs = performance.now();
          end(child);
          assert.deepEqual(await ended, [0, null]);
          tookMs = performance.now() - startMs;
          assert.deepEqual(await readdir(temporary), []);
          for (const address of addresses) assert.equal(await listens(address, protocol), false);
        }
      });
    });
  }

  test(`leaves no ${format} behind when its program is killed`, async (t) => {
    if (skipped(t, exported)) return;
    await withExport(exported, async (fixture) => {
      const temporary = path.join(path.dirname(fixture.start), '..', 'of its own');
      await mkdir(temporary);
      const [protocol = 'h2'] = protocols;
      const { child, origins } = await startByHand(fixture, protocol, temporary);
      child.kill('SIGKILL');
      await once(child, 'exit');
      child.stdin?.end();
      const addresses = Object.values(origins);
      const isGone = async () =>
        (await readdir(temporary)).length === 0 &&
        (await Promise.all(addresses.map((each) => listens(each, protocol)))).every(
          (each) => !each,
        );
      const endMs = performance.now() + END_LIMIT_MS;
      while (!(await isGone()) && performance.now() < endMs) await sleep(50);
      assert.ok(await isGone());
    });
  });

  for (const protocol of protocols) {
    test(`answers hosts that share an address by ${format} over ${protocol}, each with its own content`, async (t) => {
      if (skipped(t, exported)) return;
      await withExport(exported, async (fixture) => {
        const options = fixture.options(protocol);
        const hosts = Object.keys(options.addresses);
        const certsFolder = await ensureCertificates(
          hosts,
          { chain: 'realistic', origins: 'shared' },
          path.join(options.logsFolder, 'shared'),
        );
        const addresses = Object.fromEntries(hosts.map((host) => [host, '127.0.1.7']));
        const shared = {
          ...options,
          certsFolder,
          addresses,
          firstPort: 9000 + (process.pid % 900),
        };
        await withServers(shared, async ([server]) => {
          assert.ok(server);
          const bodies = hosts.map((host) => ({ host, method: 'GET', path: '/' }));
          const [first, second] = await exchangeWith(server, bodies);
          assert.equal(second?.bytes, 'the other host'.length, `${format} ${protocol}`);
          assert.equal(first?.status, 200);
        });
      });
    });
  }

  test(`rejects what an export for ${format} cannot do by its program, with the reason at the end of its log`, async (t) => {
    if (skipped(t, exported)) return;
    await withExport(exported, async (fixture) => {
      await assertServerRefuses(fixture, { thinkTime: 'recorded' }, /cannot delay answers/);
      await assertServerRefuses(fixture, { subResources: 'missing' }, /serves the whole site/);
      const other = path.join(path.dirname(fixture.start), '..', 'other');
      await writeFixtureSite(other, [{ url: 'https://www.exported.test/', body: 'other' }]);
      const part = /expected the site as it was exported.*Export it again/;
      await assertServerRefuses(fixture, { siteFolder: other }, part);
    });
  });

  test(`loads a page that was exported for ${format} in Chromium`, async (t) => {
    if (skipped(t, exported)) return;
    await withTemporaryFolder(async (temporary) => {
      const out = path.join(temporary, 'exported');
      const print = () => {};
      const choices = { to: format, out };
      await exportCommand('shower-deck', choices, {
        sites: sitesFolder,
        exportsFolder: out,
        print,
      });
      const stacks = protocols.map((protocol) => STACK_OF[protocol] ?? '');
      await assertMeasures(path.join(out, 'start.sh'), stacks, temporary);
    });
  });
}
