import assert from 'node:assert/strict';
import { cp, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import protobuf from 'protobufjs/minimal.js';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import {
  BICYCLE_SHOP,
  documentHeaders,
  inWords,
} from '../../../../../test/unit/cache/importers/bicycle-shop.ts';
import { assertPagesListed } from '../../../../../test/unit/cache/listed-pages.ts';
import { readArchive } from '../../../../import.ts';
import { IMPORT_LIMITS } from '../../../../limits.ts';

const FIXTURES = path.join(import.meta.dirname, '..', 'fixtures');

const FIXTURE = path.join(FIXTURES, 'bicycle-shop');

async function copied(t: TestContext): Promise<string> {
  const folder = temporaryFolder(t);
  await cp(FIXTURE, folder, { recursive: true });
  return folder;
}

/** A request and its response in Mahimahi's field numbers. */
function saved({
  requestLine = 'GET / HTTP/1.1',
  host = 'www.shop.test',
  statusLine = 'HTTP/1.1 200 OK',
  scheme = 2,
  headers = [] as [string, string][],
}): Buffer {
  const header = ([name, value]: [string, string]) =>
    protobuf.Writer.create()
      .uint32((1 << 3) | 2)
      .bytes(Buffer.from(name, 'latin1'))
      .uint32((2 << 3) | 2)
      .bytes(Buffer.from(value, 'latin1'))
      .finish();
  const message = (firstLine: string, pairs: [string, string][], body: string) => {
    const writer = protobuf.Writer.create()
      .uint32((1 << 3) | 2)
      .bytes(Buffer.from(firstLine));
    for (const pair of pairs) writer.uint32((2 << 3) | 2).bytes(header(pair));
    return writer
      .uint32((3 << 3) | 2)
      .bytes(Buffer.from(body))
      .finish();
  };
  return Buffer.from(
    protobuf.Writer.create()
      .uint32(3 << 3)
      .uint32(scheme)
      .uint32((4 << 3) | 2)
      .bytes(message(requestLine, host === '' ? [] : [['Host', host]], ''))
      .uint32((5 << 3) | 2)
      .bytes(message(statusLine, headers, 'body'))
      .finish(),
  );
}

test('reads the page that nothing requested from a Mahimahi folder, with its redirect', async () => {
  const page = await readArchive(FIXTURE);
  assert.equal(page.manifest.importedFrom, 'mahimahi');
  assert.equal(page.manifest.url, 'https://shop.test/');
  assert.deepEqual(inWords(page), BICYCLE_SHOP);
  assert.equal(page.manifest.addresses?.['www.shop.test'], '192.0.2.7');
  assert.deepEqual(documentHeaders(page).slice(1, 3), [
    ['set-cookie', 'basket=empty'],
    ['set-cookie', 'visit=1; Path=/'],
  ]);
});

test('excludes files that record no exchange, with a note that names them', async (t) => {
  const folder = await copied(t);
  const otherFiles: Record<string, Buffer> = {
    'not-a-record': Buffer.from('\xff\xff\xff'),
    'no-request': saved({ requestLine: 'nonsense' }),
    'no-status': saved({ statusLine: 'HTTP/1.1 ok' }),
    'no-host': saved({ host: '' }),
    'no-path': saved({ requestLine: 'OPTIONS * HTTP/1.1' }),
  };
  for (const [name, bytes] of Object.entries(otherFiles))
    await writeFile(path.join(folder, name), bytes);
  const page = await readArchive(folder);
  assert.deepEqual(inWords(page), BICYCLE_SHOP);
  const notes = page.notes.join('\n');
  for (const name of ['not-a-record', 'no-request', 'no-status']) {
    assert.match(notes, new RegExp(`/${name}: skipped, `));
  }
  assert.match(notes, /2 times: skipped, its request has no host and path; first: .*\/no-host$/m);
});

test('does not follow links', async (t) => {
  const folder = await copied(t);
  const outside = await copied(t);
  await writeFile(path.join(outside, 'secret'), saved({ requestLine: 'GET /secret HTTP/1.1' }));
  await symlink(path.join(outside, 'secret'), path.join(folder, 'save.link'));
  const page = await readArchive(folder);
  assert.deepEqual(inWords(page), BICYCLE_SHOP);
  assert.match(page.notes.join('\n'), /save\.link: skipped, not a regular file/);
});

test('drops a header value with a line break, so that no header can be smuggled in', async (t) => {
  const folder = await copied(t);
  const headers: [string, string][] = [
    ['x-a', 'a\r\nset-cookie: stolen=1'],
    ['x-b\r\nset-cookie', 'stolen=1'],
    ['x-c', 'kept'],
  ];
  await writeFile(path.join(folder, 'a'), saved({ requestLine: 'GET /a HTTP/1.1', headers }));
  const page = await readArchive(folder);
  const resource = page.manifest.resources.find(({ url }) => url.endsWith('/a'));
  assert.deepEqual(resource?.headers, [['x-c', 'kept']]);
});

test('excludes a record with more headers than the limit before it fills the memory', async (t) => {
  const folder = await copied(t);
  const headers = Array.from({ length: 50 }, (): [string, string] => ['a', 'b']);
  await writeFile(path.join(folder, 'many'), saved({ requestLine: 'GET /many HTTP/1.1', headers }));
  const page = await readArchive(folder, null, { ...IMPORT_LIMITS, headers: 40 });
  assert.deepEqual(inWords(page), BICYCLE_SHOP);
  assert.match(page.notes.join('\n'), /\/many: skipped, .*more than 40 headers/);
});

test('shows the page of a Mahimahi folder with --list', (t) =>
  assertPagesListed(t, FIXTURE, 'http://www.shop.test/'));
