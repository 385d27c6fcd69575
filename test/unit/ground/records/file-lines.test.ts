import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileLines } from '../../../../ground/records/file-lines.ts';
import type { Line } from '../../../../ground/system/bounded-lines.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { assertEach } from '../../assert-each.ts';

async function linesOf(t: TestContext, content: string | Buffer): Promise<Line[]> {
  const folder = temporaryFolder(t);
  await writeFile(path.join(folder, 'lines'), content);
  const lines: Line[] = [];
  for await (const line of fileLines(path.join(folder, 'lines'))) lines.push(line);
  return lines;
}

test('numbers lines, empty ones too, and treats text after the last line feed as unfinished', async (t) => {
  const lines = await linesOf(t, 'a\n\nbc');
  assertEach(lines, ({ number, bytes, ended }) => [number, bytes.toString(), ended], [
    [1, 'a', true],
    [2, '', true],
    [3, 'bc', false],
  ]);
  assert.deepEqual(await linesOf(t, ''), []);
});

test('reads lines longer than a chunk whole, byte for byte', async (t) => {
  const long = Buffer.from(`${'ä€'.repeat(200_000)}\r`);
  const noText = Buffer.from([0, 255, 0xc3]);
  const lines = await linesOf(t, Buffer.concat([long, Buffer.from('\n'), long, noText]));
  assertEach(lines, ({ number, ended }) => [number, ended], [
    [1, true],
    [2, false],
  ]);
  assert.ok(lines[0]?.bytes.equals(long));
  assert.ok(lines[1]?.bytes.equals(Buffer.concat([long, noText])));
});
