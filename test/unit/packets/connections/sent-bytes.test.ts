import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { SentBytes, SentStream } from '../../../../packets/connections/sent-bytes.ts';

test('counts bytes as new once, in any order and pieces', () => {
  const random = xoroshiro128plus(5);
  for (let round = 0; round < 50; round++) {
    const sent = new SentBytes();
    const known = new Set<number>();
    for (let step = 0; step < 60; step++) {
      const begin = uniformInt(random, -20, 200);
      const length = uniformInt(random, 0, 30);
      const before = known.size;
      for (let at = begin; at < begin + length; at++) known.add(at);
      assert.equal(sent.add(begin, length), known.size - before);
      const place = uniformInt(random, -20, 230);
      assert.equal(sent.before(place), [...known].filter((at) => at < place).length);
    }
    assert.equal(sent.end, known.size === 0 ? 0 : Math.max(...known) + 1);
  }
});

test('counts lost bytes as arrived when they are repeated, and not before', () => {
  const stream = new SentStream();
  assert.equal(stream.send(0, 100, false), 100);
  assert.equal(stream.send(100, 100, true), 100);
  assert.equal(stream.send(200, 50, false), 50);
  assert.equal(stream.hasArrived(100), true);
  assert.equal(stream.hasArrived(250), false);
  assert.equal(stream.send(100, 60, false), 0);
  assert.equal(stream.hasArrived(250), false);
  assert.equal(stream.send(160, 40, false), 0);
  assert.equal(stream.hasArrived(250), true);
  assert.equal(stream.end, 250);
});
