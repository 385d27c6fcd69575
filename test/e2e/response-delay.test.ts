import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import type { Stack } from '../../ground/stack.ts';
import { median } from '../../statistics/median.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { loadOverPath } from './load-over-path.ts';
import { writeFixtureSite } from './site-fixture.ts';
import { TESTED_STACKS } from './tested-stacks.ts';

const URL = 'https://www.delay.test/';
const REQUESTS = 10;
const DELAY_MS = 100;
/** The medians of a busy machine differ. */
const TOLERANCE_MS = 15;

/** Requests one resource after the other, and holds the load open until then. */
const DOCUMENT = `<!doctype html><link rel="icon" href="data:,"><script type="module">
for (let number = 0; number < ${REQUESTS}; number++) await (await fetch('/' + number)).text();
</script>`;

/** Median time until the first byte of the responses, in ms. */
async function waitOf(stack: Stack, folder: string): Promise<number> {
  const entries = await loadOverPath(stack, URL, folder, { rttMs: 10 });
  const found = entries.filter(({ request }) => /\/\d+$/.test(request.url));
  assert.equal(found.length, REQUESTS);
  for (const { response } of found) assert.equal(response.status, 200);
  return median(found.map(({ timings }) => timings.wait)) ?? 0;
}

for (const stack of TESTED_STACKS) {
  test(`${stack.stack} delays its responses by the setting of its arm`, () =>
    withTemporaryFolder(async (folder) => {
      await writeFixtureSite(path.join(folder, 'site'), [
        { url: URL, type: 'document', headers: [['content-type', 'text/html']], body: DOCUMENT },
        ...Array.from({ length: REQUESTS }, (_, number) => ({ url: `${URL}${number}`, body: 'x' })),
      ]);
      const usualMs = await waitOf(stack, folder);
      const settings = { responseDelayMs: DELAY_MS };
      const addedMs = (await waitOf({ ...stack, settings }, folder)) - usualMs;
      assert.ok(Math.abs(addedMs - DELAY_MS) < TOLERANCE_MS, `${addedMs} ms`);
    }));
}
