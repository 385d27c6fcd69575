import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bitrateByHeight } from '../../../reports/bitrate.ts';
import { moves, watchedSession } from '../watched-session.ts';

const LOW = { id: 'low', kind: 'video', kbps: 100, height: 144 } as const;
const HIGH = { id: 'high', kind: 'video', kbps: 400, height: 288 } as const;
const TONE = { id: 'tone', kind: 'audio', kbps: 64, height: null } as const;

/**
 * Plays from 1 s on to 5 s of the video, with the higher quality level from 3 s of the video on.
 */
function watched(heights: readonly [number, number] = [LOW.height, HIGH.height]) {
  const session = watchedSession({ moves: moves(1000), watchedMs: 6000 });
  for (const [place, heightPx] of heights.entries()) {
    const [atMs, mediaMs] = [[900, 0] as const, [4000, 3000] as const][place] ?? [0, 0];
    session.element.push({ atMs, mediaMs, event: 'resize', heightPx });
  }
  return session;
}

test('derives the rate of each quality level from its picture height, for as long as it was displayed', () => {
  const { meanBitrateKbps, switches } = bitrateByHeight(watched(), [LOW, HIGH, TONE]);
  assert.equal(Math.round(meanBitrateKbps ?? 0), (3000 * 100 + 2000 * 400) / 5000);
  assert.deepEqual(switches, [{ atMs: 4000, fromKbps: 100, toKbps: 400 }]);
});

for (const [what, representations, heights, why] of [
  [
    'two representations of one height',
    [LOW, { ...HIGH, height: 144 }],
    [144, 144],
    /low and high are both/,
  ],
  [
    'an unknown height',
    [LOW, { ...HIGH, height: null }],
    [144, 288],
    /no height for representation high/,
  ],
  [
    'a height of no representation',
    [LOW, HIGH],
    [144, 300],
    /No representation is 300 pixels high/,
  ],
] as const) {
  test(`reports why the element has no bitrate for ${what}`, () => {
    const { meanBitrateKbps, bitrateMissing } = bitrateByHeight(watched(heights), representations);
    assert.equal(meanBitrateKbps, null);
    assert.match(bitrateMissing ?? '', why);
  });
}
