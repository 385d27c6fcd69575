import assert from 'node:assert/strict';
import { test } from 'node:test';
import { savedText } from '../../../../report/text/ratio-words.ts';

test('a difference is told as milliseconds saved or lost, on whichever side its interval lies', () => {
  const told = (estimate: number, low: number | null, high: number | null) => {
    const { saved, interval } = savedText({ estimate, low, high });
    return `${saved} (${interval})`;
  };
  assert.equal(told(-61.4, -83, -39.2), '61 ms saved (39 to 83)');
  assert.equal(told(5.24, 1.2, 12), '5.2 ms lost (1.2 to 12)');
  assert.equal(told(-3, -31, 12.3), '3 ms saved (12 lost to 31 saved)');
  assert.equal(told(0.02, 0, 0.04), '0 ms (0 to 0)');
  assert.equal(told(40, 12, null), '40 ms lost (12 lost or worse)');
  assert.equal(told(40, -12, null), '40 ms lost (12 saved or worse)');
  assert.equal(told(-40, null, -12), '40 ms saved (12 saved or better)');
  assert.equal(savedText({ estimate: 4, low: null, high: null }).interval, null);
});
