import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { openLog } from '../../../runner/server-log.ts';
import { firstSentence } from '../../../runner/servers.ts';
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

test("keeps the last line of a failed server's log in its reason", () => {
  const failed = 'The own server ended (1). The end of its log (/a/b.log):';
  const reasonOf = (...logEnd: string[]) =>
    firstSentence(new Error([failed, ...logEnd].join('\n')));
  assert.equal(
    reasonOf('  starting', '  --site a: not the site'),
    'The own server ended (1). Its log is /a/b.log, and ends with: --site a: not the site',
  );
  assert.equal(reasonOf(), 'The own server ended (1). Its log is /a/b.log.');
  assert.equal(firstSentence(new Error('It ended.')), 'It ended.');
});
