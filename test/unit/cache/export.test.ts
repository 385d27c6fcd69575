import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { EXPORT_FORMATS } from '../../../cache/exporters/index.ts';
import { readManifest, writeSite } from '../../../cache/manifest.ts';
import { siteOfRecording } from '../../../cache/site-of-recording.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { exportsFolderNextTo, runExport } from './command-output.ts';
import { EXAMPLE_DOCUMENT, exampleRecording } from './example-recording.ts';
import { cacheIn } from './exported-site.ts';

const FORMATS = EXPORT_FORMATS.map(({ format }) => format);
const [{ format: FORMAT, ending: ENDING }] = EXPORT_FORMATS as [(typeof EXPORT_FORMATS)[number]];

test('writes an export by default into the folder of exports, and makes it', async (t) => {
  const { sites } = await cacheIn(t);
  const { status, out, errors } = await runExport(sites, 'one', '--to', FORMAT);
  const exportsFolder = exportsFolderNextTo(sites);
  assert.deepEqual([status, errors], [0, '']);
  assert.deepEqual(await readdir(exportsFolder), [`one${ENDING}`]);
  assert.match(out, new RegExp(`to ${path.join(exportsFolder, `one${ENDING}`)}$`, 'm'));
});

test('writes an export into a folder that does not exist yet', async (t) => {
  const { folder, sites } = await cacheIn(t);
  const to = path.join(folder, 'a/b/one.har');
  const { status, errors } = await runExport(sites, 'one', '--to', FORMAT, '--out', to);
  assert.deepEqual([status, errors], [0, '']);
  assert.deepEqual(await readdir(path.dirname(to)), ['one.har']);
});

test('overwrites nothing, and explains the remedy on wrong usage', async (t) => {
  const { folder, sites, folderOf } = await cacheIn(t);
  const taken = path.join(folder, 'taken.har');
  await writeFile(taken, 'mine');
  await writeSite(folderOf('broken'), await readManifest(folderOf('one')), new Map());
  for (const [args, message] of [
    [[], /SITE is missing\. See npm run export -- --help/],
    [['one'], /--to is missing/],
    [['one', '--to', 'zip'], new RegExp(`--to zip: expected one of ${FORMATS.join(', ')}`)],
    [['one', 'two', '--to', FORMAT], /One SITE at a time/],
    [['', '--to', FORMAT], /SITE is missing\. See npm run export -- --help/],
    [['../one', '--to', FORMAT], /^Unknown site \.\.\/one\. `npm run sites` lists/],
    [['none', '--to', FORMAT], /^Unknown site none\. `npm run sites` lists what the cache has/],
    [['one', '--to', FORMAT, '--out', taken], /taken\.har exists, and nothing is ever overwritten/],
    [['broken', '--to', FORMAT, '--out', path.join(folder, 'b.har')], /is missing/],
  ] as const) {
    const { status, errors } = await runExport(sites, ...args);
    assert.equal(status, 2, args.join(' '));
    assert.match(errors, message);
  }
  assert.equal(await readFile(taken, 'utf8'), 'mine');
  assert.deepEqual((await readdir(folder)).sort(), ['sites', 'taken.har']);
});

test('prints commands for copying that run nothing from the site or the folder’s name, and work', async (t) => {
  const folder = temporaryFolder(t);
  const [sites, pasted] = [path.join(folder, 'sites'), path.join(folder, 'pasted')];
  await mkdir(sites);
  await mkdir(pasted);
  const url = 'https://shop.test/?a=1;touch$IFS.PASTED;&b=`id`';
  const document = { ...EXAMPLE_DOCUMENT, url };
  const { manifest, bodies } = siteOfRecording(
    exampleRecording([], { documentUrl: url, exchanges: [document] }),
    { file: 'x' },
  );
  await writeSite(path.join(sites, 'one'), { ...manifest, site: 'one' }, bodies);
  let tried = 0;
  for (const format of FORMATS) {
    const to = path.join(folder, `it's ;touch PASTED; $(id).${format}`);
    const { status, out, errors } = await runExport(sites, 'one', '--to', format, '--out', to);
    assert.equal(status, 0, errors);
    assert.ok(out.includes(to), out);
    const [, line] = /^[^:]+: npm run \w+ -- (.*)$/m.exec(out) ?? [];
    // Some formats are for other programs than this project's.
    if (line === undefined) continue;
    tried += 1;
    const read = execFileSync('bash', ['--norc', '-c', `printf '%s\\0' ${line}`], { cwd: pasted });
    const words = read.toString().split('\0');
    assert.ok(words.includes(to) || words.includes(path.join(to, 'start.sh')), line);
    assert.deepEqual(await readdir(pasted), []);
  }
  assert.ok(tried > 1, `${tried}`);
});
