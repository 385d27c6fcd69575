import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCheck } from '../../../../ground/host/check.ts';

test('a check that fails is a note and stops nothing', async () => {
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

test('what a check found is handed on under its name', async () => {
  const result = await runCheck({ name: 'Bun', run: async () => ({ status: 'ok', found: '1.4' }) });
  assert.deepEqual(result, { name: 'Bun', status: 'ok', found: '1.4' });
});
