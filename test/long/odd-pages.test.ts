import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { cacheUrl } from '../../cache/importers/file-url.ts';
import { readManifest } from '../../cache/manifest.ts';
import type { Recording } from '../../cache/recording.ts';
import { bun } from '../../ground/runtimes/bun.ts';
import { isSetUp } from '../../runner/machine.ts';
import { STACKS } from '../../servers/index.ts';
import { tryOverPath, withPathBench } from '../e2e/path-bench.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { runImport } from '../unit/cache/command-output.ts';
import { exampleExchange, exampleRecording } from '../unit/cache/example-recording.ts';
import { writeRecording } from '../unit/cache/made-up-format.ts';
import { ODD_PAGES, type OddPage, type OddResource } from './odd-pages/pages.ts';

/** HTTP/3 of a program in another language than the default one, if one is set up. */
const otherH3 = STACKS.find(
  (each) => each.protocol === 'h3' && each.runtime !== bun && isSetUp(each),
);
/** One of each version of HTTP, and one that is in another language. */
const stacks = STACKS.filter((each) => each.byDefault || each === otherH3);
const REPETITIONS = 2;
/** Short for a page that waits for something that never comes. */
const TIMEOUT_S = 15;

const { ODD_PAGE } = process.env;

for (const page of ODD_PAGES.filter(({ name }) => ODD_PAGE === undefined || ODD_PAGE === name)) {
  const what = page.refused ? 'refused at import, with the reason' : 'loaded by every stack';
  test(`handles a page of the kind ${page.name} that is ${what}`, () =>
    withTemporaryFolder(async (folder) => {
      const archive = await writeRecording(path.join(folder, 'page'), recordingOf(page));
      await mkdir(path.join(folder, 'sites'));
      const folderOf = (site: string) => path.join(folder, 'sites', site);
      const imported = await runImport(folderOf, archive, '--name', page.name);
      if (page.refused) {
        assert.equal(imported.status, 2, imported.out);
        assert.match(imported.errors, page.refused);
        return;
      }
      assert.equal(imported.status, 0, imported.errors);
      assert.deepEqual(await problemsOf(page, folderOf(page.name)), []);
    }));
}

/** Problems of an imported page's loads, as sentences. */
async function problemsOf(page: OddPage, folder: string): Promise<string[]> {
  const manifest = await readManifest(folder);
  const needed = page.resources.filter(({ unrequested }) => unrequested === undefined);
  const use = async ({ servers, ...bench }: Parameters<Parameters<typeof withPathBench>[1]>[0]) => {
    const problems: string[] = [];
    for (const server of Array.from({ length: REPETITIONS }, () => servers).flat()) {
      const { pageLoad, har } = await tryOverPath({ servers, ...bench }, server);
      const { outcome, code, message } = pageLoad;
      const by = server.stack.stack;
      if (outcome !== 'ok') problems.push(`${by}: ${outcome}, ${code}: ${message}`);
      const requested = new Set(har?.log.entries.map(({ request }) => cacheUrl(request.url)));
      const left = needed.filter((each) => !requested.has(cacheUrl(urlOf(each, page))));
      if (left.length > 0) problems.push(`${by}: not requested: ${left.map(({ at }) => at)}`);
    }
    return problems;
  };
  return withPathBench({ folder, manifest }, use, { stacks, timeoutS: TIMEOUT_S });
}

function urlOf({ at }: Pick<OddResource, 'at'>, { host }: OddPage): string {
  return new URL(at, `https://${host}/`).href;
}

function recordingOf(page: OddPage): Recording {
  const all = [{ at: '/', ...page.document }, ...page.resources];
  const exchanges = all.map((resource, index) => {
    const { type, body = '', status = 200, headers = [], method = 'GET' } = resource;
    return exampleExchange(urlOf(resource, page), {
      method,
      status,
      headers: [...(type === '' ? [] : [['content-type', type] as const]), ...headers].map(
        ([name, value]) => [name, value],
      ),
      body,
      bodyIs: 'decoded',
      type: index === 0 ? 'document' : null,
      startedAt: new Date(1_767_225_600_000 + index).toISOString(),
      waitMs: 1,
    });
  });
  const documentUrl = exchanges[0]?.url ?? null;
  return exampleRecording([], { documentUrl, exchanges, recordedAt: exchanges[0]?.startedAt });
}
