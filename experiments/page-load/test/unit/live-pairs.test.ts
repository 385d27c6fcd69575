import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunRecord } from '../../../../ground/records/run.ts';
import { differsMuch, liveCautions, livePairs } from '../../live-pairs.ts';
import { madeUpLoad } from './made-up-live.ts';

const RUN = {
  arms: [
    { arm: 'h3', controlOf: null },
    { arm: 'h2', controlOf: null },
  ],
  analysis: { baseline: 'h2' },
  choices: { livePages: { pauseMs: 3000 } },
} as unknown as RunRecord;

const [A, B, C] = ['GET https://www.test/', 'GET https://www.test/b', 'GET https://www.test/c'] as [
  string,
  string,
  string,
];

test('has all in common for two equal loads of a block', () => {
  const same = { [A]: [1, 1000], [B]: [2, 400] } as Record<string, [number, number]>;
  const [pair, ...rest] = livePairs([madeUpLoad('h3', 1, same), madeUpLoad('h2', 1, same)], RUN);
  assert.deepEqual(rest, []);
  assert.deepEqual(pair, {
    subject: 'www.test',
    arm: 'h3',
    baseline: 'h2',
    block: 1,
    requestsShare: 1,
    bytesShare: 1,
    onlyArm: [],
    onlyBaseline: [],
  });
});

test('reports the common shares, and requests that one load has more often', () => {
  const loads = [
    madeUpLoad('h3', 1, { [A]: [1, 600], [B]: [2, 400] }),
    madeUpLoad('h2', 1, { [A]: [1, 800], [B]: [1, 200], [C]: [1, 2000] }),
  ];
  const [pair] = livePairs(loads, RUN);
  // Of 3 and 3 requests two are common; of 1,000 and 3,000 bytes 600 and 200.
  assert.equal(pair?.requestsShare, 4 / 6);
  assert.equal(pair?.bytesShare, 1600 / 4000);
  assert.deepEqual([pair?.onlyArm, pair?.onlyBaseline], [[B], [C]]);
  assert.equal(pair && differsMuch(pair), true);
});

test('does not pair loads of other blocks, without an outcome, or without a HAR', () => {
  const failed = { ...madeUpLoad('h2', 1, {}), outcome: 'failed' as const };
  const unsupported = { ...madeUpLoad('h3', 2, {}), details: null };
  const loads = [madeUpLoad('h3', 1, {}), failed, unsupported, madeUpLoad('h2', 2, {})];
  assert.deepEqual(livePairs(loads, RUN), []);
});

test('does not compare loads with unrecorded requests', () => {
  const loads = [madeUpLoad('h3', 1, {}, { requestsCut: true }), madeUpLoad('h2', 1, {})];
  assert.deepEqual(livePairs(loads, RUN), []);
});

test('reports a page that differs in half of its pairs, and not one that does so occasionally', () => {
  const pair = (block: number, isSame: boolean) => [
    madeUpLoad('h3', block, { [A]: [1, 100] }),
    madeUpLoad('h2', block, isSame ? { [A]: [1, 100] } : { [B]: [1, 100] }),
  ];
  const differing = (...same: boolean[]) => same.flatMap((each, index) => pair(index + 1, each));
  const [sentence] = liveCautions(differing(false, true), RUN);
  assert.match(
    sentence ?? '',
    /content of www\.test differs .* in 1 of 2 pairs .* 50 % of the requests/,
  );
  assert.deepEqual(liveCautions(differing(false, true, true), RUN), []);
  assert.deepEqual(
    liveCautions(differing(false), { ...RUN, choices: {} as RunRecord['choices'] }),
    [],
  );
});
