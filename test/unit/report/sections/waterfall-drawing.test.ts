import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortAddress, timeAxis } from '../../../../report/sections/waterfall-drawing.ts';

test('keeps an address that fits whole', () => {
  assert.equal(shortAddress('/img/logo.png', 13), '/img/logo.png');
});

test('keeps the beginning and more of the end of a longer one, in exactly the available room', () => {
  const short = shortAddress('cdn.example.org/a/very/long/way/to/the/logo.png', 20);
  assert.equal(short, 'cdn.exa…the/logo.png');
  assert.equal([...short].length, 20);
});

test('removes characters that would steer the direction of the text, or are invalid', () => {
  assert.equal(shortAddress('/a\u202Eb\u0000c', 10), '/abc');
  assert.equal(shortAddress('/\uD800', 10), '/\uFFFD');
  assert.equal(shortAddress('/😀😀😀😀😀😀', 5), '/…😀😀😀');
});

test('fits the slowest of the loads on one axis', () => {
  const axis = timeAxis([
    { pageLoadMs: 300, lastMs: 280 },
    { pageLoadMs: 900, lastMs: 940 },
  ]);
  assert.ok(axis.endMs >= 940 && axis.endMs < 1_000, `${axis.endMs}`);
});

test('is not compressed by a request long after the load event', () => {
  const endMs = (lastMs: number) => timeAxis([{ pageLoadMs: 3_000, lastMs }]).endMs;
  assert.ok(endMs(5_000) >= 5_000, 'requests that follow the load event are shown');
  assert.ok(endMs(90_000) > 3_000 && endMs(90_000) < 6_100, `${endMs(90_000)}`);
});

test('has round ticks, evenly apart, from zero, and no more than can be read', () => {
  assert.deepEqual(
    timeAxis([{ pageLoadMs: 90, lastMs: 0 }]).ticksMs,
    [0, 10, 20, 30, 40, 50, 60, 70, 80, 90],
  );
  assert.deepEqual(
    timeAxis([{ pageLoadMs: 1_300, lastMs: 0 }]).ticksMs,
    [0, 200, 400, 600, 800, 1_000, 1_200],
  );
  for (const pageLoadMs of [0, 0.4, 1, 7, 33, 480, 501, 999, 30_000]) {
    const { ticksMs, endMs } = timeAxis([{ pageLoadMs, lastMs: 0 }]);
    assert.ok(ticksMs.length >= 3 && ticksMs.length <= 11, `${pageLoadMs}: ${ticksMs.length}`);
    assert.ok((ticksMs.at(-1) ?? Number.NaN) <= endMs);
  }
});
