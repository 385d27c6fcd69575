import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { spuriousIn } from '../../overtaking/spurious.ts';

const FOLDER = path.join(import.meta.dirname, '..', '..', 'overtaking');

test('finds the one packet of the capture that was sent again although it arrived', async () => {
  const found = await spuriousIn(path.join(FOLDER, 'lsquic-100kB.pcapng'), 36);
  assert.deepEqual(found, [{ packets: 88, lost: 0, distances: [4] }]);
});

test('counts only acknowledgements that may have been the cause', async () => {
  const [found] = await spuriousIn(path.join(FOLDER, 'lsquic-100kB.pcapng'), 1000);
  assert.deepEqual(found?.distances, [0]);
});
