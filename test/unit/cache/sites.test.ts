import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { writeSite } from '../../../cache/manifest.ts';
import { siteOfRecording } from '../../../cache/site-of-recording.ts';
import { assertEach } from '../assert-each.ts';
import { runSites } from './command-output.ts';
import { exampleExchange, exampleRecording } from './example-recording.ts';
import { folderOfFiles } from './importers/folder-of-files.ts';

async function cacheOf(t: TestContext, names: string[]) {
  const sites = await folderOfFiles(t, {});
  const recording = exampleRecording(
    [
      exampleExchange('https://cdn.test/a.png', {
        body: 'image',
        headers: [['content-type', 'image/png']],
      }),
      exampleExchange('https://cdn.test/b.png', {
        body: 'image',
        headers: [['content-type', 'image/png']],
      }),
    ],
    { recordedAt: '2026-11-21T10:00:00.000Z' },
  );
  for (const site of names) {
    const { manifest, bodies } = siteOfRecording(recording, { file: 'x' });
    await writeSite(path.join(sites, site), { ...manifest, site }, bodies);
  }
  const repairs: string[] = [];
  const toRepair = () => repairs.push('asked for');
  const run = (...args: string[]) => runSites({ sites, toRepair }, ...args);
  return { sites, run, repairs };
}

test('lists hosts, resources, bytes, types, date and source of each site', async (t) => {
  const { run } = await cacheOf(t, ['b.test', 'a.test']);
  const { status, lines } = await run();
  assert.equal(status, 0);
  assertEach(lines, (line) => line.replace(/ {2,}/g, '  '), [
    'site  kind  hosts  resources  bytes  recorded  types; source',
    'a.test  imported  2  3  48  2026-11-21  document 1, image 2; made for a test',
    'b.test  imported  2  3  48  2026-11-21  document 1, image 2; made for a test',
  ]);
});

test('lists each site as one object in JSON for programs', async (t) => {
  const { run } = await cacheOf(t, ['a.test']);
  const { lines } = await run('list', '--json');
  assertEach(lines, (line) => JSON.parse(line), [
    {
      site: 'a.test',
      kind: 'imported',
      hosts: 2,
      resources: 3,
      wireBytes: 48,
      types: [
        ['document', 1],
        ['image', 2],
      ],
      recordedOn: '2026-11-21',
      source: 'made for a test',
      requests: { recorded: 3, answered: 3 },
    },
  ]);
});

test('lists a site that is nearly empty with a warning', async (t) => {
  const { run, sites } = await cacheOf(t, ['a.test']);
  const lacking = ['1', '2', '3'].map((name) =>
    exampleExchange(`https://www.a.test/${name}`, { status: 0 }),
  );
  const { manifest, bodies } = siteOfRecording(exampleRecording(lacking), { file: 'x' });
  await writeSite(path.join(sites, 'b.test'), { ...manifest, site: 'b.test' }, bodies);
  const { status, lines, errors } = await run();
  assert.equal(status, 0);
  assert.equal(lines.length, 3);
  assert.match(
    errors,
    /^b\.test: the site is nearly empty: .* 4 requests, and replayable answers to only 1 of them/,
  );
});

test('accepts named sites, also from a file', async (t) => {
  const { run, sites } = await cacheOf(t, ['a.test', 'b.test', 'c.test']);
  await writeFile(path.join(sites, 'list.txt'), 'c.test\n');
  const listed = async (...args: string[]) =>
    (await run('list', '--json', ...args)).lines.map((line) => JSON.parse(line).site);
  assert.deepEqual(await listed('b.test'), ['b.test']);
  assert.deepEqual(await listed('--sites', 'b.test,a.test'), ['b.test', 'a.test']);
  assert.deepEqual(await listed('--sites', `@${path.join(sites, 'list.txt')}`), ['c.test']);
  const missing = await run('d.test');
  assert.equal(missing.status, 2);
  assert.match(
    missing.errors,
    /^Unknown site d\.test\. `npm run sites` lists what the cache has\.$/,
  );
});

test('reports a damaged site, and still lists the rest', async (t) => {
  const { run, sites } = await cacheOf(t, ['a.test', 'b.test']);
  await writeFile(path.join(sites, 'a.test/index.json'), '{');
  const { status, lines, errors } = await run('--json');
  assert.equal(status, 2);
  assert.equal(lines.length, 1);
  assert.match(errors, /a\.test\/index\.json is not valid JSON/);
});

test('reads every body by verify, and names each that differs from the manifest', async (t) => {
  const { run, sites, repairs } = await cacheOf(t, ['a.test', 'b.test', 'c.test', 'd.test']);
  assert.deepEqual((await run('verify')).lines, ['4 sites checked, all as their manifests say.']);
  assert.deepEqual(repairs, []);
  await writeFile(path.join(sites, 'a.test/bodies/0001-a.png'), 'imagE');
  await writeFile(path.join(sites, 'b.test/bodies/more'), '');
  await rm(path.join(sites, 'c.test/bodies/0001-a.png'));
  const { status, lines, errors } = await run('verify');
  assert.equal(status, 2);
  assert.deepEqual(lines, [
    '4 sites checked, 3 damaged. `npm run setup` restores its own sites, and `npm run video` its test pattern after its folder is removed; import or record your own sites again.',
  ]);
  assert.deepEqual(repairs, ['asked for']);
  const [a, b, c, ...more] = errors.split('\n');
  assert.match(
    a ?? '',
    /0001-a\.png \(body of https:\/\/cdn\.test\/a\.png\) has SHA-256 [0-9a-f]{64}, the manifest says/,
  );
  assert.match(b ?? '', /b\.test\/bodies\/more is not a body of any resource/);
  assert.match(c ?? '', /0001-a\.png .* is missing/);
  assert.deepEqual(more, []);
});

test('lists 500 sites without reading their bodies', async (t) => {
  const names = Array.from({ length: 500 }, (_, index) => `site-${index}.test`);
  const { run, sites } = await cacheOf(t, names);
  await rm(path.join(sites, 'site-7.test/bodies'), { recursive: true });
  const { status, lines } = await run();
  assert.equal(status, 0);
  assert.equal(lines.length, 501);
});
