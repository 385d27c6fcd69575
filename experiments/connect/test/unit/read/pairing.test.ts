import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEach } from '../../../../../test/unit/assert-each.ts';
import { minuteBlocks } from '../../../read/pairing.ts';

test('forms a block from rows of one URL in one minute of the clock', () => {
  const blockOf = minuteBlocks();
  const blocks = [
    { url: 'a', arm: 'quic', unixS: 120 },
    { url: 'a', arm: 'tls1.2', unixS: 179 },
    { url: 'a', arm: 'tls1.3', unixS: 180 },
    { url: 'b', arm: 'tls1.3', unixS: 180 },
    { url: 'a', arm: 'tls1.2', unixS: 239 },
  ].map(blockOf);
  assert.deepEqual(blocks, [1, 1, 2, 1, 2]);
});

test('forms a second block from the second rows of each protocol in a minute', () => {
  const blockOf = minuteBlocks();
  const arms = ['quic', 'quic', 'tls1.2', 'tls1.2', 'tls1.2'];
  assertEach(arms, (arm) => blockOf({ url: 'a', arm, unixS: 60 }), [1, 2, 1, 2, 3]);
});
