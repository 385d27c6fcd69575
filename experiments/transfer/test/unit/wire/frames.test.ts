import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readContents } from '../../../wire/frames.ts';

const contentsOf = (hex: string) => readContents(Buffer.from(hex.replaceAll(' ', ''), 'hex'));

test('reads acknowledged ranges, largest first', () => {
  const { acknowledged, isAckEliciting } = contentsOf('02 1e 00 02 03 01 04 00 00');
  assert.deepEqual(acknowledged, [
    [27, 30],
    [20, 24],
    [18, 18],
  ]);
  assert.equal(isAckEliciting, false);
  const withEcn = contentsOf('03 05 00 00 02 01 01 01 10 40ff');
  assert.deepEqual(withEcn.acknowledged, [[3, 5]]);
  assert.equal(withEcn.connectionLimit, 255);
});

test('reads where pieces of streams end, also without offset or length', () => {
  const { streams } = contentsOf('0e 04 4100 02 aabb 0a 00 01 aa 0d 08 05 aabbcc');
  assert.deepEqual(streams, [
    { stream: 4, end: 258, ends: false },
    { stream: 0, end: 1, ends: false },
    { stream: 8, end: 8, ends: true },
  ]);
});

test('reads limits behind frames that it skips', () => {
  const skipped = [
    '00 01 1e',
    '04 00 00 00 05 00 00 06 00 02 aaaa 07 01 aa',
    '12 01 13 01 14 01 15 00 01 16 01 17 01 19 00',
    `18 01 00 02 abcd ${'00'.repeat(16)} 1a ${'00'.repeat(8)} 1b ${'00'.repeat(8)} 31 01 aa`,
  ];
  for (const frames of skipped) {
    const { streamLimits, isAckEliciting } = contentsOf(`${frames} 11 04 44d2`);
    assert.deepEqual(streamLimits, [{ stream: 4, limit: 1234 }], frames);
    assert.equal(isAckEliciting, true);
  }
});

test('stops at a frame that it does not know, at a close and at the end', () => {
  for (const frames of ['3f', '1c 00 00 00', '30 aa', '08 00 aa']) {
    assert.deepEqual(contentsOf(`${frames} 10 05`).connectionLimit, null, frames);
  }
  assert.deepEqual(contentsOf('10').connectionLimit, null);
});
