import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { importCommand } from '../../cache/import.ts';
import { readManifest } from '../../cache/manifest.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { loadOverPath, withPathBench } from './path-bench.ts';
import { reportSkippedStacks, STACKS_HERE } from './tested-stacks.ts';

const HOST = 'https://www.archive.test';

/**
 * An archive with responses that servers may each send in their own form: no type, an empty one, a
 * redirect, an error, no body.
 */
const ARCHIVE: readonly (readonly [
  path: string,
  type: string | null,
  body: string,
  status?: number,
])[] = [
  [
    '/',
    'text/html; charset=utf-8',
    `<!doctype html><link rel="icon" href="data:,"><title>archive</title>
<iframe src="/untyped"></iframe><iframe src="/empty-type"></iframe>
<img src="/moved.gif"><img src="/gone.gif"><img src="/nothing.gif">`,
  ],
  ['/untyped', null, '<!doctype html><script src="/of-untyped.js"></script>'],
  ['/of-untyped.js', null, 'fetch("/told", { method: "POST", body: "1" })'],
  ['/told', null, '', 204],
  ['/empty-type', '', '<!doctype html><link rel="stylesheet" href="/style.css">'],
  ['/style.css', 'text/css', 'body { background: url(/background.gif) }'],
  ['/background.gif', 'image/gif', 'GIF89a'],
  ['/moved.gif', null, '', 302],
  ['/there.gif', 'image/gif', 'GIF89a'],
  ['/gone.gif', 'text/html', 'gone', 404],
  ['/nothing.gif', 'image/gif', ''],
];

function har(): string {
  const entries = ARCHIVE.map(([place, type, text, status = 200]) => ({
    startedDateTime: '2026-11-20T10:00:00.000Z',
    time: 10,
    request: { method: place === '/told' ? 'POST' : 'GET', url: `${HOST}${place}`, headers: [] },
    response: {
      status,
      headers: [
        ...(type === null ? [] : [{ name: 'content-type', value: type }]),
        ...(status === 302 ? [{ name: 'location', value: '/there.gif' }] : []),
      ],
      content: { size: text.length, mimeType: type ?? '', text },
      redirectURL: '',
    },
    timings: { send: 0, wait: 10, receive: 0 },
  }));
  return JSON.stringify({
    log: { version: '1.2', creator: { name: 'test', version: '1' }, entries },
  });
}

test('an imported site gets the same requests over every stack', (t) =>
  withTemporaryFolder(async (temporary) => {
    reportSkippedStacks(t);
    const archive = path.join(temporary, 'page.har');
    await writeFile(archive, har());
    const folder = path.join(temporary, 'archive');
    const dependencies = { folderOf: () => folder, videoFolderOf: () => folder, print: () => {} };
    await importCommand(
      archive,
      { name: 'archive', document: null, list: false, without: null },
      dependencies,
    );
    const manifest = await readManifest(folder);
    await withPathBench(
      { folder, manifest },
      async (bench) => {
        const sets = new Map<string, string | null | undefined>();
        for (const server of bench.servers) {
          const { pageLoad, har: made } = await loadOverPath(bench, server);
          assert.equal(pageLoad.outcome, 'ok', `${server.stack.stack}: ${pageLoad.message}`);
          sets.set(server.stack.stack, pageLoad.details?.requestSetSha256);
          const paths = made.log.entries.map(({ request }) => new URL(request.url).pathname);
          assert.deepEqual(paths.toSorted(), ARCHIVE.map(([place]) => place).toSorted());
        }
        assert.deepEqual(
          [...sets.keys()],
          STACKS_HERE.map(({ stack }) => stack),
        );
        assert.equal(new Set(sets.values()).size, 1, JSON.stringify([...sets]));
      },
      { stacks: STACKS_HERE },
    );
  }));
