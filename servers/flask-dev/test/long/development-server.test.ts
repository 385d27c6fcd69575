import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import tls from 'node:tls';
import { type CertificateChoice, ensureCertificates } from '../../../../certs/certificates.ts';
import type { RunChoices } from '../../../../ground/records/run.ts';
import { ServerError } from '../../../../ground/system/errors.ts';
import { withServers } from '../../../../runner/servers.ts';
import { loopbackAddresses } from '../../../../test/e2e/loopback.ts';
import { writeFixtureSite } from '../../../../test/e2e/site-fixture.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import { flaskDevStacks } from '../../stack.ts';

const HOST = 'www.development.test';
const BODY = '<!doctype html>\r\n<title>development</title>\r\n'.repeat(20);
const SMALL = 'small';
const CHOICE: CertificateChoice = { chain: 'realistic', origins: 'own' };

/** Serves a small site by a stack of Flask's development server. */
async function withSite<T>(
  name: string,
  use: (port: number, ip: string) => Promise<T>,
  document: RunChoices['document'] = 'recorded',
  change: (manifest: string) => string = (manifest) => manifest,
): Promise<T> {
  return withTemporaryFolder(async (folder) => {
    const siteFolder = path.join(folder, 'site');
    await writeFixtureSite(siteFolder, [
      {
        url: `https://${HOST}/`,
        type: 'document',
        headers: [
          ['content-type', 'text/html'],
          ['etag', '"1"'],
          ['set-cookie', 'a=1'],
          ['set-cookie', 'b=2'],
        ],
        body: BODY,
        gzip: true,
      },
      { url: `https://${HOST}/small`, headers: [['content-type', 'text/plain']], body: SMALL },
    ]);
    const file = path.join(siteFolder, 'index.json');
    await writeFile(file, change(await readFile(file, 'utf8')));
    const options = {
      site: 'site',
      siteFolder,
      document,
      logsFolder: folder,
      stacks: flaskDevStacks.filter(({ stack }) => stack === name),
      addresses: loopbackAddresses([HOST]),
      enter: [],
      certsFolder: await ensureCertificates([HOST], CHOICE, path.join(folder, 'certs')),
    };
    return withServers(options, async ([server]) => {
      const [ip = '', port] = server?.origins[HOST]?.split(':') ?? [];
      return use(Number(port), ip);
    });
  });
}

async function connect(port: number, host: string, options: tls.ConnectionOptions = {}) {
  const socket = tls.connect({
    host,
    port,
    servername: HOST,
    rejectUnauthorized: false,
    ...options,
  });
  await once(socket, 'secureConnect');
  return socket;
}

/** Sends a request and reads until the response's body is there. */
function sendRequest(socket: tls.TLSSocket, target: string, further: readonly string[] = []) {
  return new Promise<{ head: string[]; body: string }>((resolve, reject) => {
    let text = '';
    const read = (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const [head = '', body] = text.split(/\r\n\r\n(.*)/s);
      const bytes = target.startsWith('HEAD') ? 0 : /^content-length: (\d+)/im.exec(head)?.[1];
      if (body?.length !== Number(bytes)) return;
      socket.off('data', read).off('end', fail);
      resolve({ head: head.split('\r\n'), body });
    };
    const fail = () => reject(new Error(`the server ended it after ${JSON.stringify(text)}`));
    socket.on('data', read).on('end', fail);
    socket.write(`${[target, `Host: ${HOST}`, ...further].join('\r\n')}\r\n\r\n`);
  });
}

for (const stack of ['flask-dev', 'flask-dev-h1']) {
  describe(`${stack}, which is Flask's development server:`, () => {
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      test(`resumes no connection of ${version}, and negotiates no protocol`, () =>
        withSite(stack, async (port, ip) => {
          const limits = { minVersion: version, maxVersion: version };
          const offer = { ...limits, ALPNProtocols: ['h2', 'http/1.1'] };
          const first = await connect(port, ip, offer);
          const tickets: Buffer[] = [];
          first.on('session', (session) => tickets.push(session));
          await sendRequest(first, 'GET /small HTTP/1.1');
          assert.equal(first.getProtocol(), version);
          assert.equal(first.alpnProtocol, false);
          assert.equal(first.getTLSTicket(), undefined);
          const session = tickets[0] ?? first.getSession();
          // While the first connection is open the server may still remember its session.
          const second = await connect(port, ip, { ...offer, session });
          assert.equal(second.isSessionReused(), false);
          first.destroy();
          second.destroy();
        }));
    }

    test('gives up a chunk whose client ends before it is whole', () =>
      withSite(stack, async (port, ip) => {
        const socket = await connect(port, ip, { allowHalfOpen: true } as tls.ConnectionOptions);
        socket.setTimeout(5000, () => socket.destroy(new Error('no answer within 5 s')));
        const answer = text(socket);
        const head = `POST /small HTTP/1.1\r\nHost: ${HOST}\r\nTransfer-Encoding: chunked\r\n\r\n`;
        socket.end(`${head}ffffffffffffffff\r\nx`);
        assert.match(await answer, /^HTTP\/1\.[01] 500 /);
        socket.destroy();
      }));
  });
}

test('ends a connection after one response with HTTP/1.0', () =>
  withSite('flask-dev', async (port, ip) => {
    const socket = await connect(port, ip);
    const ended = once(socket, 'end');
    const { head, body } = await sendRequest(socket, 'GET /small HTTP/1.1', [
      'Connection: keep-alive',
    ]);
    assert.equal(head[0], 'HTTP/1.0 200 OK');
    assert.ok(head.includes('connection: close'), head.join('\n'));
    assert.equal(body, SMALL);
    await ended;
    socket.destroy();
  }));

test('keeps a connection with HTTP/1.1 until the client wants it closed', () =>
  withSite('flask-dev-h1', async (port, ip) => {
    const socket = await connect(port, ip);
    for (let request = 0; request < 20; request++) {
      const { head, body } = await sendRequest(socket, 'GET /small HTTP/1.1');
      assert.equal(head[0], 'HTTP/1.1 200 OK');
      assert.ok(!head.some((line) => /^connection/i.test(line)), head.join('\n'));
      assert.equal(body, SMALL);
    }
    const ended = once(socket, 'end');
    const { head } = await sendRequest(socket, 'GET /small HTTP/1.1', ['Connection: close']);
    assert.ok(head.includes('connection: close'));
    await ended;
    socket.destroy();
  }));

const SAVED = `HTTP/1.1 200 OK\ncontent-type: text/html\netag: "1"\nset-cookie: a=1\nset-cookie: b=2\n\n${BODY}`;

test('sends a saved document with its header lines as text, uncompressed, and without recorded headers', () =>
  withSite(
    'flask-dev',
    async (port, ip) => {
      // For any cache state and accepted coding of the browser.
      const further = [['If-None-Match: "1"'], ['Range: bytes=0-3'], []];
      for (const lines of further) {
        const socket = await connect(port, ip);
        const { head, body } = await sendRequest(socket, 'GET / HTTP/1.1', lines);
        assert.equal(body, SAVED);
        assert.deepEqual(
          head.filter((line) => !line.startsWith('date: ')),
          [
            'HTTP/1.0 200 OK',
            'content-type: text/html; charset=utf-8',
            'alt-svc: h3=":443"; ma=86400',
            `content-length: ${SAVED.length}`,
            'connection: close',
          ],
        );
        socket.destroy();
      }
      const connection = await connect(port, ip);
      const { head, body } = await sendRequest(connection, 'HEAD / HTTP/1.1');
      assert.ok(head.includes(`content-length: ${SAVED.length}`));
      assert.equal(body, '');
      connection.destroy();
      const other = await connect(port, ip);
      assert.equal((await sendRequest(other, 'GET /small HTTP/1.1')).body, SMALL);
      other.destroy();
    },
    'as-saved',
  ));

test('ends on a document that cannot be decoded, with its name and the remedy', () =>
  assert.rejects(
    withSite(
      'flask-dev',
      async () => assert.fail('it started'),
      'as-saved',
      (manifest) => manifest.replaceAll('"gzip"', '"br"'),
    ),
    (error: Error) => error instanceof ServerError && /of br .*omit --document/.test(error.message),
  ));
