import assert from 'node:assert/strict';
import { chmod, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { siteOfDash } from '../../../cache/dash/video-site.ts';
import { manifestFile, writeSite } from '../../../cache/manifest.ts';
import { problemsOfSite } from '../../../cache/verification.ts';
import { testPattern } from '../../../cache/videos.ts';
import { MachineError } from '../../../ground/system/errors.ts';
import { UsageError } from '../../../ground/system/exit-status.ts';
import { mpd, NUMBERED, NUMBERED_FILES, picture } from './dash/manifests.ts';
import { folderOfFiles } from './importers/folder-of-files.ts';

/** Replaces ffmpeg by a shell script until the test ends; without one ffmpeg is missing. */
async function withFfmpeg(t: TestContext, script?: string): Promise<void> {
  const before = process.env.PATH;
  t.after(() => {
    process.env.PATH = before;
  });
  const files: Record<string, string> =
    script === undefined ? {} : { ffmpeg: `#!/bin/sh\n${script}\n` };
  const folder = await folderOfFiles(t, files);
  if (script !== undefined) await chmod(path.join(folder, 'ffmpeg'), 0o755);
  process.env.PATH = folder;
}

const ENCODERS = 'case "$2" in -encoders) echo " V libvpx-vp9 x"; echo " A libopus x"; exit;; esac';

function making(t: TestContext, signal?: AbortSignal) {
  const said: string[] = [];
  const make = async () => {
    const videos = await folderOfFiles(t, {});
    return testPattern('pattern', { say: (line) => said.push(line), signal }, videos);
  };
  return { said, make };
}

test('names the command that installs ffmpeg if it or its encoders are missing', async (t) => {
  await withFfmpeg(t);
  const isRemedied = (what: RegExp) => (error: Error) => {
    assert.ok(error instanceof MachineError);
    assert.match(error.message, what);
    assert.match(error.message, /apt-get install ffmpeg/);
    return true;
  };
  await assert.rejects(making(t).make(), isRemedied(/ffmpeg is missing/));
  await withFfmpeg(t, 'echo " V libx264 x"; echo " A libopus x"');
  await assert.rejects(making(t).make(), isRemedied(/cannot encode by libvpx-vp9, which/));
  await withFfmpeg(
    t,
    `${ENCODERS}\ncase "$1" in -version) echo ffmpeg version 7;; *) echo no room >&2; exit 3;; esac`,
  );
  await assert.rejects(making(t).make(), isRemedied(/ended with 3: no room/));
});

test('ends ffmpeg and leaves nothing when it is interrupted', async (t) => {
  await withFfmpeg(
    t,
    `${ENCODERS}\ncase "$1" in -version) echo ffmpeg version 7;; *) exec /bin/sleep 600;; esac`,
  );
  const videos = await folderOfFiles(t, {});
  const controller = new AbortController();
  const say = () => setTimeout(() => controller.abort(new Error('broken off')), 100);
  await assert.rejects(
    testPattern('pattern', { say, signal: controller.signal }, videos),
    /broken off/,
  );
  assert.deepEqual(await readdir(videos), []);
});

/** A clip, and the script in place of ffmpeg that makes it. */
async function madeOfClip(t: TestContext) {
  const clip = await folderOfFiles(t, { ...NUMBERED_FILES, 'a.mpd': mpd(picture(NUMBERED)) });
  await withFfmpeg(
    t,
    `${ENCODERS}\ncase "$1" in -version) echo ffmpeg version 7; exit;; esac\nfor last; do :; done\n/bin/cp ${clip}/* "\${last%/*}" && /bin/cp ${clip}/a.mpd "$last"`,
  );
  return siteOfDash(path.join(clip, 'a.mpd'), 'made for a test');
}

/** Enough that some reach its path at the same moment. */
const AT_ONCE = 8;

test('makes one whole video for parallel requests', async (t) => {
  await madeOfClip(t);
  const videos = await folderOfFiles(t, {});
  const said: string[] = [];
  const say = (line: string) => said.push(line);
  const folder = path.join(videos, 'pattern');
  const making = Array.from({ length: AT_ONCE }, () => testPattern('pattern', { say }, videos));
  assert.deepEqual(new Set(await Promise.all(making)), new Set([folder]));
  assert.equal(said.length, AT_ONCE);
  assert.deepEqual(await readdir(videos), ['pattern']);
  assert.deepEqual(await problemsOfSite(folder), []);
});

test('makes a video again only if it was made from another source, and does not take an imported one for it', async (t) => {
  const { manifest, bodies } = await madeOfClip(t);
  const videos = await folderOfFiles(t, {});
  const folder = path.join(videos, 'pattern');
  const said: string[] = [];
  const say = (line: string) => said.push(line);
  for (const madeFrom of [undefined, 'another pattern']) {
    said.length = 0;
    await writeSite(folder, { ...manifest, site: 'pattern', madeFrom }, bodies);
    assert.equal(await testPattern('pattern', { say }, videos), folder);
    assert.equal(said.length, 1);
    assert.match(
      JSON.parse(await readFile(manifestFile(folder), 'utf8')).madeFrom,
      /^[0-9a-f]{64}$/,
    );
    assert.equal(await testPattern('pattern', { say }, videos), folder);
    assert.equal(said.length, 1);
  }
  await writeSite(folder, { ...manifest, site: 'pattern', importedFrom: 'a format' }, bodies);
  await assert.rejects(testPattern('pattern', { say }, videos), UsageError);
});
