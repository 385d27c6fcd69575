import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { projectCopy } from './project-copy.ts';

/** The step, in a project whose cache is filled by a copy. */
async function filledCache(t: TestContext) {
  const { folder, step } = projectCopy(t);
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  };
  for (const file of ['generator/a.ts', 'shapes/a.json', 'importers/a.ts', 'manifest.ts']) {
    write(path.join('cache', file), '');
  }
  write('package-lock.json', '{}');
  write(
    'cache/fill.ts',
    `import { cpSync } from 'node:fs';
    export function fillCache() {
      const root = \`\${import.meta.dirname}/..\`;
      cpSync(\`\${root}/whole\`, \`\${root}/cache/sites\`, { recursive: true });
      return { done: 'filled', problem: null };
    }`,
  );
  for (const [site, kind] of [
    ['made.test', 'generated'],
    ['package.test', 'package'],
  ]) {
    write(`whole/${site}/index.json`, JSON.stringify({ kind }));
    write(`whole/${site}/bodies/0001.png`, 'image');
  }
  t.mock.method(console, 'error', () => {});
  const sites = await step('sites');
  await sites.run();
  assert.equal(await sites.isDone(), true);
  return { sites, write, inCache: (file: string) => path.join(folder, 'cache/sites', file) };
}

test('refills a site that is missing, or has a missing, truncated or overwritten file', async (t) => {
  const { sites, inCache } = await filledCache(t);
  const body = inCache('made.test/bodies/0001.png');
  for (const damage of [
    () => rmSync(inCache('package.test'), { recursive: true }),
    () => rmSync(inCache('made.test/index.json')),
    () => rmSync(body),
    () => truncateSync(body, 2),
    () => writeFileSync(body, 'imagE'),
    () => writeFileSync(inCache('made.test/bodies/more'), ''),
  ]) {
    damage();
    assert.equal(await sites.isDone(), false, `${damage}`);
    await sites.run();
    assert.equal(await sites.isDone(), true);
    assert.equal(readFileSync(body, 'utf8'), 'image');
  }
});

test('does not depend on sites of your own', async (t) => {
  const { sites, write, inCache } = await filledCache(t);
  write('cache/sites/mine.test/index.json', '{"kind":"imported"}');
  write('cache/sites/like.test/index.json', '{"kind":"generated","importedFrom":"har"}');
  assert.equal(await sites.isDone(), true);
  await sites.run();
  write('cache/sites/mine.test/index.json', '{"kind":');
  rmSync(inCache('like.test'), { recursive: true });
  utimesSync(inCache('mine.test'), 0, 0);
  assert.equal(await sites.isDone(), true);
});
