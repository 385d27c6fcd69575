import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  writeFileAtomically,
  writeFileAtomicallyWith,
} from '../../../../ground/records/atomic-file.ts';
import { fileLines } from '../../../../ground/records/file-lines.ts';
import { openLines } from '../../../../ground/records/lines-file.ts';
import { readTcpSamples } from '../../../../ground/records/tcp-sample.ts';
import { readHarFile } from '../../../../report/sections/har-file.ts';
import { lockFolder } from '../../../../runner/campaign/folder-lock.ts';
import { bringFile } from '../../../../runner/merge/bring-file.ts';
import { createReserve } from '../../../../runner/results.ts';
import { readTraces, writeTraces } from '../../../../runner/traces.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { DELAYED } from '../../report/fixture-run.ts';

/** Each function that reads or writes a file of a run, called as if the folder had not been examined before: by what it opens. */
const OPENERS: Record<string, { name: string; use: (folder: string) => Promise<unknown> }> = {
  'lines to add to': {
    name: 'lines',
    use: async (folder) => (await openLines(path.join(folder, 'lines'))).close(),
  },
  'lines to read': {
    name: 'lines',
    use: (folder) => Array.fromAsync(fileLines(path.join(folder, 'lines'))),
  },
  samples: {
    name: 'samples',
    use: (folder) => Array.fromAsync(readTcpSamples(path.join(folder, 'samples'))),
  },
  'a HAR': { name: 'har/load.har', use: (folder) => readHarFile(folder, 'har/load.har') },
  'a whole file': {
    name: 'file.half',
    use: (folder) =>
      writeFileAtomically(path.join(folder, 'file'), 'new', {
        unfinished: path.join(folder, 'file.half'),
      }),
  },
  'a file with appended lines': {
    name: 'file.half',
    use: (folder) =>
      writeFileAtomicallyWith(
        path.join(folder, 'file'),
        Buffer.from('new'),
        { unfinished: path.join(folder, 'file.half') },
        async () => {},
      ),
  },
  'the file itself': {
    name: 'file',
    use: (folder) => writeFileAtomically(path.join(folder, 'file'), 'new'),
  },
  'the reserve': { name: '.reserve', use: (folder) => createReserve(folder).take() },
  'the lock': { name: '.lock', use: async (folder) => (await lockFolder(folder))() },
  'a recorded link to keep': { name: 'link', use: (folder) => writeTraces(folder, [TRACE]) },
  'a recorded link': {
    name: 'link',
    use: async (folder) => readTraces(folder, [{ ...DELAYED, trace: TRACE }], '--plan p'),
  },
  'a file of a part': {
    name: 'har/load.har',
    use: async (folder) =>
      assert.equal(
        await bringFile(
          { folder, file: 'har/load.har' },
          { folder: `${folder}-merged`, file: 'har/load.har' },
        ),
        false,
      ),
  },
  'a folder of a part': {
    name: 'har',
    use: async (folder) =>
      assert.equal(
        await bringFile(
          { folder, file: 'har/precious' },
          { folder: `${folder}-merged`, file: 'har/precious' },
        ),
        false,
      ),
  },
};

const TRACE = { name: 'link', sha256: '', meanKbps: 1, durationMs: 1, bytes: Buffer.from('1\n') };

const KINDS: Record<string, (place: string, victim: string) => void> = {
  'a link to a file': (place, victim) => symlinkSync(path.join(victim, 'precious'), place),
  'a link to a folder': (place, victim) => symlinkSync(victim, place),
  'a link to an endless device': (place) => symlinkSync('/dev/zero', place),
  'a named pipe': (place) => assert.equal(spawnSync('mkfifo', [place]).status, 0),
};

for (const [what, { name, use }] of Object.entries(OPENERS)) {
  for (const [kind, plant] of Object.entries(KINDS)) {
    test(`${kind} in place of ${what} is not followed`, { timeout: 20_000 }, async (t) => {
      const { folder, victim } = places(t);
      const place = path.join(folder, name);
      await mkdir(path.dirname(place), { recursive: true });
      plant(place, victim);
      // It is either rejected or replaced.
      await use(folder).catch((error: Error) =>
        assert.notEqual(error.name, 'AssertionError', error.message),
      );
      assert.deepEqual((await readdir(victim)).sort(), ['precious', 'precious.unfinished']);
      assert.equal(await readFile(path.join(victim, 'precious'), 'utf8'), 'precious');
      assert.equal((await lstat(path.join(victim, 'precious'))).nlink, 1);
    });
  }
}

function places(t: TestContext) {
  const root = temporaryFolder(t);
  const [folder, victim] = [path.join(root, 'run'), path.join(root, 'victim')];
  for (const each of [folder, victim]) mkdirSync(each);
  for (const name of ['precious', 'precious.unfinished'])
    writeFileSync(path.join(victim, name), 'precious');
  return { folder, victim };
}

test('a lock with files that do not belong to a lock is left alone', async (t) => {
  const { folder } = places(t);
  const lock = path.join(folder, '.lock');
  mkdirSync(lock);
  writeFileSync(path.join(lock, 'id_rsa'), 'key');
  await assert.rejects(lockFolder(folder), { name: 'UsageError' });
  assert.deepEqual(await readdir(lock), ['id_rsa']);
  rmSync(lock, { recursive: true });
  await (await lockFolder(folder))();
});
