import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import validator from 'har-validator';
import type { HarEntry } from '../../clients/har/har.ts';
import { mainDocumentOf } from '../../clients/har/main-document.ts';
import { trafficOf } from '../../clients/har/traffic.ts';
import { BROWSERS } from '../../ground/browser-kind.ts';
import { readMachine } from '../../runner/machine.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { importByButton, importIntoDevTools } from './devtools/devtools.ts';
import { EXPECTED, makeLiveHar } from './devtools/live-har.ts';
import { TESTED_STACKS } from './tested-stacks.ts';

const machine = readMachine();

const LOADS = TESTED_STACKS.flatMap((stack) =>
  (['chromium', 'firefox'] as const).map((browser) => ({ stack, browser })),
);

for (const { stack, browser } of LOADS) {
  const load = `a load in ${BROWSERS[browser].label} over ${stack.label}`;
  test(`the HAR of ${load} is HAR 1.2 and opens in the DevTools`, async (t) => {
    await withTemporaryFolder(async (folder) => {
      const { file, har } = await makeLiveHar(machine, stack, folder, browser);
      const { entries } = har.log;

      await t.test('follows the schema', async () => {
        await validator.har(JSON.parse(await readFile(file, 'utf8')));
      });

      await t.test('has every request with its status, and no other', () => {
        const found = entries.map(({ request, response }) =>
          [request.method, request.url, response.status].join(' '),
        );
        assert.deepEqual(found.toSorted(), EXPECTED.map((each) => each.join(' ')).toSorted());
      });

      await t.test('has every response by the protocol of the stack', () => {
        const { protocols, failedRequests, tlsVersion } = trafficOf(har);
        assert.deepEqual(Object.keys(protocols), [stack.protocol]);
        assert.equal(failedRequests, 2);
        assert.equal(tlsVersion, stack.protocol === 'h3' ? 'QUIC' : 'TLS 1.3');
      });

      await t.test('has times within the load', () => {
        const [page] = har.log.pages;
        const { onContentLoad = -1, onLoad = -1 } = page?.pageTimings ?? {};
        assert.ok(onContentLoad > 0 && onLoad >= onContentLoad && onLoad < 30_000);
        const main = mainDocumentOf(har);
        assert.equal(main?.redirects.length, 1);
        assert.ok(main.connectMs !== null && main.connectMs > 0, 'the handshake is seen');
        const endMs = Date.parse(main.entry.startedDateTime) + main.entry.time;
        assert.ok(endMs <= Date.parse(page?.startedDateTime ?? '') + onLoad);
      });

      await t.test('has the sizes that the server reports', () => {
        const home = entries.find(({ request }) => request.url.includes('/home')) as HarEntry;
        const length = home.response.headers.find(({ name }) => /^content-length$/i.test(name));
        assert.equal(home.response.bodySize, Number(length?.value));
        assert.ok(home.response.content.size > 9000);
        assert.ok(home.response._transferSize > home.response.bodySize);
        assert.ok(home.response._transferSize < home.response.bodySize + 1000);
      });

      await t.test('has the same content in the DevTools', async () => {
        const rows = await importIntoDevTools(machine.chromium, file);
        assert.equal(rows.length, entries.length);
        for (const [index, entry] of entries.entries()) {
          const row = rows[index];
          assert.ok(row);
          assert.equal(row.url, entry.request.url);
          assert.equal(row.method, entry.request.method);
          assert.equal(row.status, entry.response.status);
          assert.equal(row.protocol, entry.response.httpVersion);
          assert.equal(row.resourceType, entry._resourceType);
          assert.equal(row.priority, entry._priority);
          assert.equal(row.initiatorType, entry._initiator.type);
          assert.equal(row.postData, entry.request.postData?.text ?? null);
          assert.equal(row.connectionId, entry._connectionId ?? '');
          assert.equal(row.fromCache, false);
          assert.equal(row.transferBytes, entry.response._transferSize);
          assert.ok(Math.abs(row.durationMs - entry.time) < 0.01);
          assert.equal(Math.round(row.startedAtMs), Date.parse(entry.startedDateTime));
          assert.deepEqual(
            row.requestCookies,
            entry.request.cookies.map(({ name }) => name),
          );
          if (entry.response.content.size > 0) {
            assert.equal(row.resourceBytes, entry.response.content.size);
          }
          if (entry.connection !== undefined) {
            assert.equal(row.remoteAddress, `${entry.serverIPAddress}:${entry.connection}`);
          }
          if (entry.timings.connect >= 0) {
            const [connectStart, connectEnd] = row.connectMs;
            const [sslStart, sslEnd] = row.sslMs;
            assert.ok(Math.abs(sslEnd - sslStart - Math.max(0, entry.timings.ssl)) < 0.01);
            assert.ok(sslEnd <= connectEnd + 0.01);
            if (entry.timings.ssl < 0) {
              // Firefox lost the beginning of the handshake.
              assert.equal(sslStart, -1);
            } else if (entry.timings.ssl === entry.timings.connect) {
              // Of a connection that is all handshake, like every QUIC one, the DevTools show only
              // the handshake.
              assert.equal(connectStart, -1);
            } else {
              assert.ok(sslStart >= connectStart);
              assert.ok(Math.abs(connectEnd - connectStart - entry.timings.connect) < 0.01);
            }
          }
        }
        const home = rows.find(({ url }) => url.includes('/home'));
        assert.deepEqual(home?.responseCookies, ['a', 'b']);
      });

      await t.test(
        'shows every request after the import by the button of the Network panel',
        async () => {
          const { rows, summary } = await importByButton(machine.chromium, file);
          assert.match(summary, new RegExp(`^${entries.length} requests`));
          assert.equal(rows.length, entries.length);
          const home = rows.find(({ name }) => name.startsWith('home'));
          assert.deepEqual(home && [home.status, home.type], ['200', 'document']);
        },
      );
    });
  });
}

test('the DevTools reject an unreadable HAR', async () => {
  await withTemporaryFolder(async (folder) => {
    const file = path.join(folder, 'broken.har');
    const log = { version: '1.2', creator: { name: 'a', version: '1' }, pages: [] };
    await writeFile(file, JSON.stringify({ log }));
    await assert.rejects(importIntoDevTools(machine.chromium, file), /entries/);
    await assert.rejects(validator.har(JSON.parse(await readFile(file, 'utf8'))));

    const entries = [{ startedDateTime: 'yesterday', time: 1 }];
    await writeFile(file, JSON.stringify({ log: { ...log, entries } }));
    await assert.rejects(importIntoDevTools(machine.chromium, file));
  });
});
