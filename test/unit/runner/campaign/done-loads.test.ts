import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { pageLoad } from '../../../../experiments/page-load/experiment.ts';
import { readDoneLoads } from '../../../../runner/campaign/done-loads.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { fixtureRun } from '../../report/fixture-run.ts';

const LINES = fixtureRun({ repetitions: 2 }).observations.map(
  (load) => `${JSON.stringify(load)}\n`,
);
const IDS = LINES.map((line) => JSON.parse(line).id as string);

async function folderWith(t: TestContext, text: string | Buffer): Promise<string> {
  const folder = temporaryFolder(t);
  await writeFile(path.join(folder, pageLoad.recordFile), text);
  return folder;
}

const rowsOf = (folder: string) => readFile(path.join(folder, pageLoad.recordFile), 'utf8');

test('counts every row, and keeps a whole file unchanged', async (t) => {
  const folder = await folderWith(t, LINES.join(''));
  const { ids, rows } = await readDoneLoads(folder, pageLoad);
  assert.deepEqual([...ids], IDS);
  assert.equal(rows, IDS.length);
  assert.equal(await rowsOf(folder), LINES.join(''));
});

test('has no done loads for a run without measurements', async (t) => {
  assert.equal((await readDoneLoads(await folderWith(t, ''), pageLoad)).rows, 0);
  assert.equal((await readDoneLoads('/nowhere', pageLoad)).rows, 0);
});

test('removes a truncated last line, whose load is not done', async (t) => {
  const [first = '', second = ''] = LINES;
  const whole = Buffer.from(second);
  for (const length of [1, 10, 40, whole.length / 2, whole.length - 2, whole.length - 1]) {
    const folder = await folderWith(
      t,
      Buffer.concat([Buffer.from(first), whole.subarray(0, Math.floor(length))]),
    );
    const { ids, rows } = await readDoneLoads(folder, pageLoad);
    assert.deepEqual([...ids], IDS.slice(0, 1), `${length} bytes`);
    assert.equal(rows, 1);
    assert.equal(await rowsOf(folder), first);
  }
});

test('removes a last line of zeros or of nonsense, ended or not', async (t) => {
  const [first = ''] = LINES;
  for (const rest of ['\0'.repeat(4096), `${'\0'.repeat(50)}\n`, 'nonsense\n', '{"id":"x"}\n']) {
    const folder = await folderWith(t, first + rest);
    assert.equal((await readDoneLoads(folder, pageLoad)).rows, 1);
    assert.equal(await rowsOf(folder), first);
  }
});

test('names a damaged line before further ones without repairing it', async (t) => {
  const [first = '', second = '', third = ''] = LINES;
  const cut = second.slice(0, 100);
  for (const text of [`${first}${cut}\n${third}`, `${first}${cut}\n${third.slice(0, 5)}`]) {
    const folder = await folderWith(t, text);
    await assert.rejects(readDoneLoads(folder, pageLoad), {
      name: 'DamagedRunError',
      message: /page-loads\.jsonl, line 2 is not a complete record/,
    });
    assert.equal(await rowsOf(folder), text);
  }
});

test('reads a file of many megabytes to its end, and removes only its truncated line', async (t) => {
  const many = Array.from({ length: 2000 }, (_, index) =>
    (LINES[index % LINES.length] ?? '').replace(/"id":"[^"]*"/, `"id":"load ä ${index}"`),
  );
  const folder = await folderWith(
    t,
    `${many.join('')}{"formatVersion":5,"formatMinor":0,"id":"cut`,
  );
  const { ids, rows } = await readDoneLoads(folder, pageLoad);
  assert.equal(rows, 2000);
  assert.ok(ids.has('load ä 0') && ids.has('load ä 1999') && !ids.has('cut'));
  assert.equal(await rowsOf(folder), many.join(''));
});

test('removes truncated last lines of the other files too', async (t) => {
  const folder = await folderWith(t, LINES.join(''));
  const files = ['calibrations.jsonl', 'invocations.jsonl'].map((name) => path.join(folder, name));
  for (const file of files) await writeFile(file, '{"a":1}\n{"b":');
  await readDoneLoads(folder, pageLoad);
  for (const file of files) assert.equal(await readFile(file, 'utf8'), '{"a":1}\n');
});

test('removes a truncated last line of looks and invocations as well', async (t) => {
  const folder = await folderWith(t, LINES.join(''));
  for (const name of ['looks.jsonl', 'invocations.jsonl', 'calibrations.jsonl']) {
    await writeFile(path.join(folder, name), '{"whole":1}\n{"who');
  }
  await readDoneLoads(folder, pageLoad);
  for (const name of ['looks.jsonl', 'invocations.jsonl', 'calibrations.jsonl']) {
    assert.equal(await readFile(path.join(folder, name), 'utf8'), '{"whole":1}\n', name);
  }
});
