import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { type FileHandle, open, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { openLines } from '../../../../ground/records/lines-file.ts';
import { createReserve, DiskError } from '../../../../runner/results.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

/** Lets this number of writes store only half of their data and then find the disk full. */
async function fillDisk(t: TestContext, folder: string, writes: number): Promise<() => number> {
  const handle = await open(path.join(folder, 'any'), 'a');
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const write = prototype.write as (data: Buffer, ...where: number[]) => Promise<unknown>;
  let left = writes;
  let half = true;
  const full = async function (this: FileHandle, data: Buffer, offset: number) {
    if (left === 0) return write.call(this, data, offset);
    half = !half;
    if (!half) return write.call(this, data, offset, Math.floor(data.length / 2));
    left--;
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  };
  t.mock.method(prototype, 'write', full as unknown as FileHandle['write']);
  return () => left;
}

test('releases the reserve on a full disk, and writes the line whole and once', async (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'lines');
  const reserve = createReserve(folder);
  assert.equal(await reserve.take(), true);
  const lines = await openLines(file);
  await reserve.append(lines, { number: 1 });
  const left = await fillDisk(t, folder, 1);
  await reserve.append(lines, { number: 2, text: 'ä'.repeat(100) });
  assert.equal(left(), 0);
  assert.deepEqual(
    (await readFile(file, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).number),
    [1, 2],
  );
  assert.equal(await reserve.give(), false);
  await lines.close();
});

test('reports a missing reserve, leaves no half line, and continues when there is room again', async (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'lines');
  const reserve = createReserve(folder);
  const lines = await openLines(file);
  await reserve.append(lines, { number: 1 });
  await fillDisk(t, folder, 1);
  await assert.rejects(reserve.append(lines, { number: 2 }), (error) => {
    assert.ok(error instanceof DiskError);
    assert.equal(error.exitStatus, 3);
    assert.match(error.message, /lines cannot be written: ENOSPC.*--resume/);
    return true;
  });
  assert.equal(await readFile(file, 'utf8'), '{"number":1}\n');
  await reserve.append(lines, { number: 3 });
  assert.equal(await readFile(file, 'utf8'), '{"number":1}\n{"number":3}\n');
  await lines.close();
});

test('reports that the released reserve is too small, and leaves no half line', async (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'lines');
  const reserve = createReserve(folder);
  await reserve.take();
  const lines = await openLines(file);
  await fillDisk(t, folder, 2);
  await assert.rejects(reserve.append(lines, { number: 1 }), DiskError);
  assert.equal(await readFile(file, 'utf8'), '');
  await lines.close();
});

test('allocates its room once, in blocks on disk, and releases it', async (t) => {
  const folder = temporaryFolder(t);
  const reserve = createReserve(folder);
  assert.equal(await reserve.take(), true);
  const { ino, size, blocks } = await stat(path.join(folder, '.reserve'));
  assert.ok(size > 100_000 && blocks * 512 >= size);
  assert.equal(await reserve.take(), true);
  assert.equal((await stat(path.join(folder, '.reserve'))).ino, ino);
  assert.equal(await reserve.give(), true);
  assert.ok(!existsSync(path.join(folder, '.reserve')));
  assert.equal(await reserve.give(), false);
});

test('makes no reserve without room for it', async () => {
  const reserve = createReserve('/nowhere');
  assert.equal(await reserve.take(), false);
});
