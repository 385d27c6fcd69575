import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEach } from '../../../../../test/unit/assert-each.ts';
import { rendered } from '../../../../../test/unit/experiments/rendered.ts';
import { lookUps } from '../../../sections/look-ups.ts';
import { fail, viewOf } from './made-up-connections.ts';

test('counts a look-up once for its block, however many connections share it', () => {
  const { rowsOf, document } = rendered(lookUps, viewOf());
  // Three hosts: 20, 21 and 22 ms in the first block, 1 ms in the second.
  assert.deepEqual(rowsOf('Value reached'), [
    ['Time of a look-up, ms, look-ups'],
    ['IPv4', '1.0', '1.0', '1.0', '1.0', '21.0', '22.0', '22.0', '6'],
  ]);
  assert.equal(document.querySelectorAll('svg.chart').length, 1);
});

test('separates look-ups by family, and those without an address', () => {
  const view = viewOf({
    families: [4, 6],
    change: (connection, details) => {
      if (connection.subject !== 'c.example' || connection.factors.ipv === '4') return;
      const reason = 'The name has no IPv6 address.';
      fail(connection, details, 'unsupported', { layer: 'dns', code: 'ENODATA', reason });
      details.address = null;
    },
  });
  const [, ...rows] = rendered(lookUps, view).rowsOf('Value reached');
  assertEach(rows, (row) => [row[0], row.at(-1)], [
    ['IPv4', '6'],
    ['IPv6', '4'],
    ['no address found', '2'],
  ]);
});

test('omits the section for a run without look-ups', () => {
  const view = viewOf({
    change: (_, details) => {
      details.lookupMs = null;
    },
  });
  assert.equal(lookUps.isShown?.(view), false);
});
