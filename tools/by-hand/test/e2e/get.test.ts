import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import tls from 'node:tls';
import { promisify } from 'node:util';
import { siteFolder } from '../../../../cache/catalogue.ts';
import { readManifestAlone } from '../../../../cache/manifest.ts';
import { SIZED_PATHS, sizedSite } from '../../../../cache/sized-site.ts';
import { certificatesFolder } from '../../../../certs/authority.ts';
import { offersBoth } from '../../../../ground/records/protocol.ts';
import { type Child, startChild } from '../../../../ground/system/child-process.ts';
import { projectFolder } from '../../../../ground/system/folders.mjs';
import { withServers } from '../../../../runner/servers.ts';
import { bunH2 } from '../../../../servers/bun-h2/stack.ts';
import { lsquicH3 } from '../../../../servers/lsquic-h3/stack.ts';
import { startProgram } from '../../../../test/e2e/command.ts';
import { assertNoProcessLeft, temporaryFoldersOf } from '../../../../test/e2e/left-behind.ts';
import { DUAL, HTTP1, LACKS_DUAL } from '../../../../test/e2e/stacks-by-protocol.ts';
import { reportSkippedStacks, TESTED_STACKS } from '../../../../test/e2e/tested-stacks.ts';
import type { Hosts } from '../../../../test/internet/hosts.ts';
import { withInternet } from '../../../../test/internet/internet.ts';
import { ensureLeaves } from '../../../../test/leaves.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import { withServedByHand } from './served-by-hand.ts';

const PROGRAM = path.join(projectFolder, 'bin', 'quic-vs-https.ts');

interface Got {
  status: Child['end'];
  body: Buffer;
  printed: string;
}

/** Runs `get` to its end. */
async function get(...words: string[]): Promise<Got> {
  const child = startChild(process.execPath, [PROGRAM, 'get', ...words]);
  const body: Buffer[] = [];
  let printed = '';
  child.process.stdout?.on('data', (piece) => body.push(piece));
  child.process.stderr?.on('data', (text) => {
    printed += text;
  });
  await once(child.process, 'close');
  return { status: child.end, body: Buffer.concat(body), printed };
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** ms in a line of the table. */
function msOf(printed: string, what: string): number {
  const text = new RegExp(`^  ${what} +([\\d,.]+) ms$`, 'm').exec(printed)?.[1];
  assert.ok(text, `no ${what} in:\n${printed}`);
  return Number(text.replaceAll(',', ''));
}

const SITE = 'jquery-ui-demo';
const { resources } = readManifestAlone(siteFolder(SITE));
const COMPRESSED = resources.find(({ contentEncoding }) => contentEncoding === 'gzip');

for (const { stack, protocol } of TESTED_STACKS) {
  const vias = offersBoth(protocol) ? ['h3', 'h2'] : [null];
  for (const version of vias) {
    test(`gets the bytes of a site's manifest by ${stack}${version ? `, ${version}` : ''}`, async (t) => {
      reportSkippedStacks(t);
      assert.ok(COMPRESSED);
      const { url, sha256, wireBytes } = COMPRESSED;
      const { status, body, printed } = await get(
        ...[url, '--stack', stack, ...(version ? ['--via', version] : [])],
      );
      assert.equal(status, 0, printed);
      assert.deepEqual([body.length, digestOf(body)], [wireBytes, sha256]);
      assert.match(printed, /^ {2}status +200$/m);
      assert.match(printed, /^ {2}content-encoding +gzip$/m);
      const spoken = version ?? (protocol.startsWith('http/1') ? 'http/1.1' : protocol);
      assert.match(printed, new RegExp(`^GET ${url} by ${spoken} from `, 'm'));
    });
  }
}

test('times a response by the path: with 30 ms two round trips by QUIC, three by TCP and TLS 1.3', async () => {
  assert.ok(COMPRESSED);
  for (const [stack, roundTrips] of [
    ['lsquic-h3', 1],
    ['bun-h2', 2],
  ] as const) {
    const { status, body, printed } = await get(
      ...[
        COMPRESSED.url,
        '--stack',
        stack,
        '--rtt',
        '30',
        '--loss',
        '1',
        '--network-backend',
        'userspace',
      ],
    );
    assert.equal(status, 0, printed);
    assert.equal(digestOf(body), COMPRESSED.sha256);
    assert.ok(msOf(printed, 'request may leave') >= 30 * roundTrips, printed);
    assert.ok(msOf(printed, 'first byte') >= 30 * (roundTrips + 1), printed);
    assert.match(printed, /round trip +configured 30 ms, measured/);
  }
});

test('gets the page with the command that serve prints, by either version of HTTP', {
  skip: LACKS_DUAL,
}, async () => {
  const { url, resources } = readManifestAlone(siteFolder('www.example.org'));
  const page = resources.find((each) => each.url === url);
  await withServedByHand(['www.example.org', '--stack', DUAL], async ({ below }) => {
    const lines = below(/^npm run get/);
    assert.equal(lines.length, 2);
    for (const line of lines) {
      const { stdout } = await promisify(execFile)('sh', ['-c', line], { encoding: 'buffer' });
      assert.equal(digestOf(stdout), page?.sha256, line);
    }
  });
});

test('gets a large file whole from an existing server, by each version of HTTP', async () => {
  const bytes = 10_000_000;
  await withTemporaryFolder(async (folder) => {
    const sized = await sizedSite('large', bytes, path.join(folder, 'sites'));
    const { resources } = readManifestAlone(sized);
    const file = resources.find(({ url }) => url.endsWith(SIZED_PATHS.download));
    assert.ok(file);
    const { host } = new URL(file.url);
    await ensureLeaves([host]);
    const stacks = [lsquicH3, bunH2, HTTP1];
    const options = {
      ...{ stacks, site: 'large', siteFolder: sized },
      ...{ addresses: { [host]: '127.0.1.9' }, enter: [], logsFolder: folder },
    };
    await withServers(options, async (servers) => {
      for (const [index, version] of ['h3', 'h2', 'h1.1'].entries()) {
        const { status, body, printed } = await get(
          ...[file.url, '--via', version, '--resolve', servers[index]?.origins[host] ?? ''],
          ...['--trust', path.join(certificatesFolder, 'CA.pem')],
        );
        assert.equal(status, 0, printed);
        assert.deepEqual([body.length, digestOf(body)], [bytes, file.sha256], version);
        assert.match(printed, /^ {2}body +10,000,000 bytes$/m);
        assert.ok(msOf(printed, 'complete body') > msOf(printed, 'first byte'), printed);
      }
      // Error responses are passed on as well.
      const missing = await get(
        ...[`https://${host}/missing`, '--via', 'h2', '--resolve', servers[1]?.origins[host] ?? ''],
        ...['--trust', 'none'],
      );
      assert.equal(missing.status, 4, missing.printed);
      assert.match(missing.printed, /^ {2}status +404$/m);
    });
  });
});

/** For each kind of host, the words of `get` by HTTP/3 and by HTTP/2. */
const EXPECTED: Record<string, [byHttp3: RegExp, byHttp2: RegExp]> = {
  web: [/status +200/, /status +200/],
  'tls-only': [/got a refusal \(ICMP\)/, /status +200/],
  'tls1.2-only': [/got a refusal \(ICMP\)/, /connection +TCP, TLS 1\.2,/],
  'drops-udp': [
    /response over UDP .*, got nothing within 5 s\. .*checks whether it speaks HTTP\/3/,
    /status +200/,
  ],
  'h3-only': [/status +200/, /got a refusal: nothing listens there/],
  expired: both(/got one that has expired\. --trust FILE/),
  'wrong-name': both(/got one for other names\. --trust FILE/),
  'unknown-authority': both(/got one of an authority that is not known\. --trust FILE/),
  resets: [/got a refusal \(ICMP\)/, /got a reset of the connection/],
  'other-protocol': [
    /got the alert no_application_protocol\. .*checks whether it speaks HTTP\/3/,
    /status +200/,
  ],
  dead: [/got no route to that host/, /got no route to that host/],
  'no-name': both(/does not exist\. Check its spelling/),
};

function both(pattern: RegExp): [RegExp, RegExp] {
  return [pattern, pattern];
}

test('explains why a live server cannot be reached, with its exit status', async () => {
  const kinds = Object.keys(EXPECTED);
  const nameOf = (kind: string) => `${kind.replaceAll('.', '-')}.test`;
  const hosts = Object.fromEntries(kinds.map((kind) => [nameOf(kind), kind])) as Hosts;
  await withInternet({ hosts }, async ({ run, caFile, addressesOf }) => {
    const runGet = (...words: string[]) =>
      run([process.execPath, PROGRAM, 'get', ...words, '--trust', caFile, '--timeout', '5']);
    for (const [kind, expected] of Object.entries(EXPECTED)) {
      const requests = ['h3', 'h2'].map(async (version, index) => {
        const pattern = expected[index] as RegExp;
        const { status, stdout, stderr } = await runGet(
          `https://${nameOf(kind)}/`,
          '--via',
          version,
        );
        const isFine = /200|TLS 1/.test(pattern.source);
        assert.match(stderr, pattern, `${kind} by ${version}`);
        assert.equal(status, isFine ? 0 : 4, stderr);
        assert.equal(stdout !== '', isFine, stderr);
      });
      await Promise.all(requests);
    }
    const trusting = await run([
      process.execPath,
      PROGRAM,
      'get',
      'wrong-name.test',
      '--trust',
      'none',
    ]);
    assert.equal(trusting.status, 0, trusting.stderr);
    const [ip = ''] = addressesOf('web.test');
    for (const version of ['h3', 'h2']) {
      const { status, stdout, stderr } = await runGet(`https://${ip}/`, '--via', version);
      assert.match(stderr, /got one for other names/);
      assert.deepEqual([status, stdout], [4, ''], stderr);
    }
    const unknown = await run([process.execPath, PROGRAM, 'get', 'web.test']);
    assert.match(unknown.stderr, /authority that is not known/);
    assert.equal(unknown.status, 4);
  });
});

test('passes on a truncated body, and reports its size', async () => {
  await ensureLeaves(['www.example.org']);
  const read = (ending: string) =>
    readFileSync(path.join(certificatesFolder, `www.example.org.${ending}`));
  const certificate = { key: read('key'), cert: read('pem') };
  const byHttp1 = tls.createServer({ ...certificate, ALPNProtocols: ['http/1.1'] }, (socket) => {
    socket.once('data', () =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n0123456789'),
    );
    socket.on('error', () => {});
  });
  const byHttp2 = http2.createSecureServer(certificate);
  byHttp2.on('stream', (stream) => {
    stream.respond({ ':status': 200, 'content-length': 100 });
    // The reply to a ping follows everything before it.
    stream.write('0123456789', () => stream.session?.ping(() => stream.session?.destroy()));
    stream.on('error', () => {});
  });
  byHttp2.on('sessionError', () => {});
  for (const [server, version] of [
    [byHttp1, 'h1.1'],
    [byHttp2, 'h2'],
  ] as const) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { status, body, printed } = await get(
      ...['https://www.example.org', '--via', version, '--resolve', `127.0.0.1:${port}`],
      ...['--trust', 'none'],
    );
    server.close();
    assert.equal(body.toString(), '0123456789', printed);
    assert.match(printed, /The body is incomplete: 10 of 100 bytes received\./);
    assert.equal(status, 4, printed);
  }
});

test('sends given headers, and ends quietly when the reader of the body is gone', async () => {
  const requests: http2.IncomingHttpHeaders[] = [];
  await ensureLeaves(['www.example.org']);
  const read = (ending: string) =>
    readFileSync(path.join(certificatesFolder, `www.example.org.${ending}`));
  const server = http2.createSecureServer({ key: read('key'), cert: read('pem') });
  server.on('stream', (stream, headers) => {
    requests.push(headers);
    stream.respond({ ':status': 302, location: 'https://elsewhere.test/' });
    // More than pipes hold.
    stream.end(Buffer.alloc(5_000_000, 'x'));
    stream.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const words = [
    ...['https://www.example.org/a?b=c#d', '--via', 'h2', '--resolve', `127.0.0.1:${port}`],
    ...['--trust', 'none', '--header', 'Accept: text/html', '--header', 'Range: bytes=0-9'],
  ];
  const whole = await get(...words);
  assert.deepEqual([whole.status, whole.body.length], [0, 5_000_000], whole.printed);
  assert.match(whole.printed, /^ {2}location +https:\/\/elsewhere\.test\/$/m);
  const { ':path': requestPath, accept, range, 'user-agent': agent, ...rest } = requests[0] ?? {};
  assert.deepEqual(
    [requestPath, accept, range, agent],
    ['/a?b=c', 'text/html', 'bytes=0-9', 'quic-vs-https'],
  );
  assert.equal(rest['accept-encoding'], undefined);

  const child = startChild(process.execPath, [PROGRAM, 'get', ...words]);
  let printed = '';
  child.process.stderr?.on('data', (text) => {
    printed += text;
  });
  child.process.stdout?.once('data', () => child.process.stdout?.destroy());
  await once(child.process, 'exit');
  server.close();
  assert.deepEqual([child.end, printed], [0, '']);
});

for (const [when, printed, words] of [
  // A path with a long round trip takes long to measure.
  [
    'while its path is made',
    /Creating and measuring the path/,
    ['--stack', 'lsquic-h3', '--rtt', '1000'],
  ],
  ['while the body comes', /emulator/, ['--stack', 'bun-h2', '--down', '200']],
] as const) {
  test(`leaves nothing behind after Ctrl-C ${when}`, async () => {
    const command = startProgram(['get', 'https://www.news.google.com/', ...words]);
    await command.printed(printed);
    if (when === 'while the body comes') await command.printed(/<!doctype/i);
    command.child.kill('SIGINT');
    assert.equal(await command.ended, 130, command.output().slice(-500));
    await assertNoProcessLeft(command);
    assert.deepEqual(temporaryFoldersOf(command.child.pid), []);
  });
}
