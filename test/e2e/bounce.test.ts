import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { importCommand } from '../../cache/import.ts';
import { readManifest } from '../../cache/manifest.ts';
import type { Har } from '../../clients/har/har.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { loadOverPath, withPathBench } from './path-bench.ts';
import { TESTED_STACKS } from './tested-stacks.ts';
import { assertOkOrSpoilt } from './whole-run.ts';

const PAGE = 'https://www.bounce.test/';
const SIGN_ON = 'https://sso.bounce.test/?to=www';

/** A load from years ago: away to sign on, and back with cookies that have expired by now. */
const RECORDED: { url: string; status: number; sent?: string; headers: [string, string][] }[] = [
  {
    url: PAGE,
    status: 302,
    headers: [
      ['location', SIGN_ON],
      ['set-cookie', 'strict=1; SameSite=Strict'],
    ],
  },
  {
    url: SIGN_ON,
    status: 302,
    headers: [
      ['location', PAGE],
      ['set-cookie', 'session=1; Domain=bounce.test; Expires=Sat, 20 Nov 2021 10:00:00 GMT'],
    ],
  },
  {
    url: PAGE,
    status: 200,
    sent: 'strict=1; session=1',
    headers: [
      ['content-type', 'text/html; charset=utf-8'],
      ['cache-control', 'no-cache'],
    ],
  },
];

function har(): string {
  const pairs = (headers: [string, string][]) => headers.map(([name, value]) => ({ name, value }));
  const entries = RECORDED.map(({ url, status, sent, headers }, index) => {
    const text = status === 200 ? '<!doctype html><link rel="icon" href="data:,"><p>page' : '';
    const cookies: [string, string][] = sent ? [['cookie', sent]] : [];
    return {
      startedDateTime: `2020-11-20T10:00:0${index}.000Z`,
      time: 10,
      request: { method: 'GET', url, headers: pairs([['accept', '*/*'], ...cookies]) },
      response: { status, headers: pairs(headers), content: { size: text.length, text } },
      timings: { send: 0, wait: 10, receive: 0 },
    };
  });
  const creator = { name: 'test', version: '1' };
  return JSON.stringify({ log: { version: '1.2', creator, entries } });
}

function stepsOf({ log }: Har): [url: string, status: number][] {
  return log.entries.map(({ request, response }) => [request.url, response.status]);
}

test('redirects to the sign-on at every first visit, by every stack', () =>
  withTemporaryFolder(async (temporary) => {
    const archive = path.join(temporary, 'page.har');
    await writeFile(archive, har());
    const folder = path.join(temporary, 'bounce');
    await importCommand(
      archive,
      { name: 'bounce', document: null, list: false, without: null },
      { folderOf: () => folder, videoFolderOf: () => folder, print: () => {} },
    );
    const manifest = await readManifest(folder);
    await withPathBench(
      { folder, manifest },
      async (bench) => {
        for (const server of bench.servers) {
          for (const visit of ['cold', 'repeat', 'cold', 'reload'] as const) {
            const { pageLoad, har: made } = await loadOverPath(bench, server, { visit });
            const which = `${server.stack.stack}, ${visit}`;
            assertOkOrSpoilt(pageLoad, which);
            const hasCookies = visit === 'repeat' || visit === 'reload';
            assert.deepEqual(
              stepsOf(made),
              hasCookies
                ? [[PAGE, 200]]
                : [
                    [PAGE, 302],
                    [SIGN_ON, 302],
                    [PAGE, 200],
                  ],
              which,
            );
            assert.deepEqual(pageLoad.details?.replay?.unknown, [], which);
          }
        }
      },
      { stacks: TESTED_STACKS },
    );
  }));
