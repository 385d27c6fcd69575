import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { spuriousIn } from '../../overtaking/spurious.ts';

const FOLDER = path.join(import.meta.dirname, '..', '..', 'overtaking');

test('finds the one packet of the capture that was sent again although it arrived, and the rule', async () => {
  const found = await spuriousIn(path.join(FOLDER, 'lsquic-100kB.pcapng'), 36);
  assert.deepEqual(
    found.map(({ packets, lost, spurious }) => ({ packets, lost, spurious })),
    [{ packets: 88, lost: 0, spurious: { number: 1, last: 0, later: 0, timer: 0 } }],
  );
});

test('without an acknowledgement in time, the cause is a timer', async () => {
  const [found] = await spuriousIn(path.join(FOLDER, 'lsquic-100kB.pcapng'), 1000);
  assert.deepEqual(found?.spurious, { number: 0, last: 0, later: 0, timer: 1 });
});
