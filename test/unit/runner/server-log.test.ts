import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { openLog } from '../../../runner/server-log.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

test('keeps a log up to its limit, and reports the limit once', async (t) => {
  const file = path.join(temporaryFolder(t), 'log');
  const log = openLog(file, 1000);
  for (let line = 0; line < 1000; line++) log.write('123456789');
  await log.end();
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  assert.equal(lines.length, 101);
  assert.match(lines.at(-1) ?? '', /truncated/);
});
