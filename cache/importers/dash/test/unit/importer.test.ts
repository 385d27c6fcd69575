import assert from 'node:assert/strict';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  runImport,
  runSites,
  videosFolderNextTo,
} from '../../../../../test/unit/cache/command-output.ts';
import {
  mpd,
  NUMBERED,
  NUMBERED_FILES,
  picture,
  webm,
} from '../../../../../test/unit/cache/dash/manifests.ts';
import { folderOfFiles } from '../../../../../test/unit/cache/importers/folder-of-files.ts';
import { siteOfDash } from '../../../../dash/video-site.ts';
import { readManifest } from '../../../../manifest.ts';

/** A folder `clip` with a manifest and its files, and the import of it. */
async function clip(
  t: TestContext,
  files: Record<string, string> = NUMBERED_FILES,
  text = mpd(picture(NUMBERED)),
) {
  const named = Object.entries({ ...files, 'manifest.mpd': text });
  const folder = await folderOfFiles(
    t,
    Object.fromEntries(named.map(([name, content]) => [`clip/${name}`, content])),
  );
  const sites = path.join(folder, 'sites');
  await mkdir(sites);
  const place = path.join(folder, 'clip');
  return {
    place,
    sites,
    videos: videosFolderNextTo(path.join(sites, 'x')),
    run: (...words: string[]) =>
      runImport((site) => path.join(sites, site), path.join(place, 'manifest.mpd'), ...words),
  };
}

test('imports a manifest and its files as a video, byte for byte, which is listed and verified', async (t) => {
  const { run, place, sites, videos } = await clip(t);
  const { status, out, errors } = await run();
  assert.equal(errors, '');
  assert.equal(status, 0);
  assert.match(out, /^Imported video clip: https:\/\/video\.example\/manifest\.mpd$/m);
  assert.match(out, /10 s; picture of 150 kbit\/s, no sound/);
  assert.match(out, /npm run video -- --videos clip$/);
  const { kind, importedFrom, resources } = await readManifest(path.join(videos, 'clip'));
  assert.deepEqual([kind, importedFrom], ['video', 'mpd']);
  for (const { url, body, headers } of resources) {
    const name = path.posix.basename(url);
    assert.deepEqual(
      await readFile(path.join(videos, 'clip', body ?? '')),
      await readFile(path.join(place, name)),
    );
    const type = name.endsWith('.mpd') ? 'application/dash+xml' : 'video/webm';
    assert.deepEqual(headers, [
      ['content-type', type],
      ['access-control-allow-origin', '*'],
      ['timing-allow-origin', '*'],
    ]);
  }
  assert.equal(resources.length, 5);
  const dependencies = { sites, toRepair: () => {} };
  assert.match((await runSites(dependencies)).out, /^clip +video +1 +5 /m);
  assert.equal((await runSites(dependencies, 'verify', 'clip')).status, 0);
  await writeFile(path.join(videos, 'clip', 'bodies', '0002-low-001.webm'), webm('fIrst'));
  const damaged = await runSites(dependencies, 'verify');
  assert.equal(damaged.status, 2);
  assert.match(damaged.errors, /low-001\.webm.* has SHA-256/);
});

test('replaces an imported video only by importing it again', async (t) => {
  const { run, videos } = await clip(t);
  await run('--name', 'mine');
  assert.match((await run('--name', 'mine')).out, /^Replaced video mine/);
  const index = path.join(videos, 'mine', 'index.json');
  const { importedFrom: _, ...made } = JSON.parse(await readFile(index, 'utf8'));
  await writeFile(index, JSON.stringify(made));
  const { status, errors } = await run('--name', 'mine');
  assert.equal(status, 2);
  assert.match(errors, /already exists/);
});

test('names missing, empty and cut files with their quality levels, and imports nothing', async (t) => {
  const { 'low-001.webm': _, ...rest } = NUMBERED_FILES;
  const { run, place, videos } = await clip(t, { ...rest, 'low-002.webm': '' });
  const { status, errors } = await run();
  assert.equal(status, 2);
  assert.match(errors, /Representation low: low-001\.webm is missing, low-002\.webm is empty\n/);
  await assert.rejects(readManifest(path.join(videos, 'clip')));
  const list =
    '<SegmentList duration="10"><SegmentURL media="low-003.webm" mediaRange="2-99"/></SegmentList>';
  await writeFile(path.join(place, 'manifest.mpd'), mpd(picture(list)));
  assert.match(
    (await run()).errors,
    /low-003\.webm has 9 bytes, too few for its segment from 2 to 99/,
  );
});

test('names a truncated segment and a file that is no video with their quality level, and imports nothing', async (t) => {
  const files = {
    ...NUMBERED_FILES,
    'low-002.webm': webm('second').slice(0, -2),
    'low-003.webm': '<html>not found</html>',
  };
  const { run, videos } = await clip(t, files);
  const { status, errors } = await run();
  assert.equal(status, 2);
  assert.match(
    errors,
    /Representation low: low-002\.webm is truncated: it has 8 bytes, and the part at byte 0 continues, low-003\.webm is /,
  );
  await assert.rejects(readManifest(path.join(videos, 'clip')));
});

test('distinguishes a last segment that was never made from a lost one', async (t) => {
  const files: Record<string, string> = { ...NUMBERED_FILES };
  const last =
    Object.keys(files)
      .filter((name) => name.startsWith('low-'))
      .sort()
      .at(-1) ?? '';
  delete files[last];
  assert.match((await (await clip(t, files)).run()).errors, /shorten mediaPresentationDuration/);
});

test('rejects unplayable numbers, and imports nothing', async (t) => {
  const { run, videos } = await clip(
    t,
    NUMBERED_FILES,
    mpd(picture(NUMBERED)).replace('150000', '-1'),
  );
  const { status, errors } = await run();
  assert.equal(status, 2);
  assert.match(
    errors,
    /manifest\.mpd cannot be played: representations\[0\] \(low\): kbps is -0\.001\. Export/,
  );
  await assert.rejects(readManifest(path.join(videos, 'clip')));
});

test('reports a truncated part of a file like a truncated file', async (t) => {
  const list =
    '<BaseURL>all.webm</BaseURL><SegmentList duration="5"><SegmentURL mediaRange="0-8"/><SegmentURL mediaRange="9-17"/></SegmentList>';
  const all = { 'all.webm': webm('first') + webm('second') };
  const { run, place } = await clip(t, all, mpd(picture(list)));
  assert.match((await run()).errors, /all\.webm is truncated: it has 9 bytes/);
  await writeFile(path.join(place, 'manifest.mpd'), mpd(picture(list.replace('9-17', '9-18'))));
  assert.equal((await run()).status, 0);
});

test('rejects files of other hosts, with queries, and behind links out of the folder', async (t) => {
  const { run, place } = await clip(t);
  const manifest = path.join(place, 'manifest.mpd');
  for (const [base, message] of [
    ['https://cdn.example/', /cdn\.example\/init-low\.webm is on another host/],
    ['//cdn.example/', /is on another host/],
    ['data:text/plain,', /init-low\.webm is (not a URL|on another host)/],
  ] as const) {
    await writeFile(manifest, mpd(picture(`<BaseURL>${base}</BaseURL>${NUMBERED}`)));
    assert.match((await run()).errors, message);
  }
  await writeFile(manifest, mpd(picture(NUMBERED.replaceAll('.webm', '.webm?a=1'))));
  assert.match((await run()).errors, /has a query/);
  await writeFile(manifest, mpd(picture(NUMBERED)));
  const outside = path.join(place, '..', 'outside.webm');
  await writeFile(outside, 'nobody may see this');
  await rm(path.join(place, 'low-002.webm'));
  await symlink(outside, path.join(place, 'low-002.webm'));
  assert.match((await run()).errors, /low-002\.webm leads out of the manifest's folder/);
});

test('rejects options for pages of an archive with a video', async (t) => {
  const { run } = await clip(t);
  for (const words of [['--list'], ['--document', 'a.html'], ['--without', 'https://a.test/']]) {
    const { status, errors } = await run(...words);
    assert.equal(status, 2);
    assert.match(errors, /is a video: --list, --document and --without apply to archives of pages/);
  }
});

test('reads a manifest in UTF-16, and serves it unchanged', async (t) => {
  const text = Buffer.from(`\ufeff${mpd(picture(NUMBERED)).replace('utf-8', 'utf-16')}`, 'utf16le');
  for (const manifest of [text, Buffer.from(text).swap16()]) {
    const folder = await folderOfFiles(t, { 'a.mpd': manifest, ...NUMBERED_FILES });
    const { manifest: site, bodies } = await siteOfDash(path.join(folder, 'a.mpd'), 'Made here.');
    assert.equal(site.video?.representations.length, 1);
    assert.ok(manifest.equals(bodies.get(site.resources[0]?.body ?? '') ?? Buffer.alloc(0)));
  }
});
