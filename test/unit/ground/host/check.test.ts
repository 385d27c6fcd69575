import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCheck } from '../../../../ground/host/check.ts';

test('turns a failed check into a note and stops nothing', async () => {
  const broken = () => {
    throw new Error('no such file');
  };
  assert.deepEqual(await runCheck({ name: 'memory', run: broken }), {
    name: 'memory',
    status: 'note',
    found: 'could not be determined: no such file',
  });
  const rejected = await runCheck({ name: 'Bun', run: () => Promise.reject('gone') });
  assert.equal(rejected.found, 'could not be determined: gone');
});

test('passes on the result of a check under its name', async () => {
  const result = await runCheck({ name: 'Bun', run: async () => ({ status: 'ok', found: '1.4' }) });
  assert.deepEqual(result, { name: 'Bun', status: 'ok', found: '1.4' });
});
