import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageLoad } from '../../../../experiments/page-load/experiment.ts';
import { metricNamed } from '../../../../ground/experiment.ts';
import {
  type ComparisonSettings,
  compare,
  type StackPair,
} from '../../../../report/summary/compare.ts';
import { noiseFrom, simulatedBlocks } from './simulated-blocks.ts';

// Few resamples: the intervals are not the subject of these tests, and 10,000 would take a minute.
const SETTINGS: ComparisonSettings = {
  seed: 1,
  marginPercent: 5,
  metric: metricNamed(pageLoad, 'pageLoadMs'),
  experiment: pageLoad,
  significance: 0.05,
  resamples: 50,
};

function pairOf(blocks: StackPair['blocks'], subject = 'a.example'): StackPair {
  return {
    arm: { arm: 'a', label: 'A (h3)' },
    baseline: { arm: 'b', label: 'B (h2)' },
    subject,
    network: 'none',
    variant: 'cold',
    blocks,
  };
}

test('calls equal stacks different in at most 5 % of simulations before correction', () => {
  const noise = noiseFrom(11);
  const runs = 400;
  for (const nPairs of [6, 20]) {
    // Each simulation is its own family, so that nothing is corrected.
    const wrong = Array.from({ length: runs }, () =>
      compare([pairOf(simulatedBlocks(nPairs, noise))], { ...SETTINGS, marginPercent: 0.01 }),
    ).filter(([one]) => one?.verdict === 'faster' || one?.verdict === 'slower').length;
    // 5 % and three standard errors of this number of simulations.
    const limit = 0.05 + 3 * Math.sqrt((0.05 * 0.95) / runs);
    assert.ok(wrong / runs <= limit, `${wrong} of ${runs} with ${nPairs} pairs`);
  }
});

test('calls 10 % less time faster in at least 80 % of simulations, with 30 pairs and 10 % noise', () => {
  const noise = noiseFrom(12);
  const runs = 200;
  const found = Array.from({ length: runs }, () =>
    compare([pairOf(simulatedBlocks(30, noise, { ratio: 0.9 }))], SETTINGS),
  ).filter(([one]) => one?.verdict === 'faster').length;
  assert.ok(found / runs >= 0.8, `${found} of ${runs}`);
});

test('rarely makes a wrong verdict in a whole family of comparisons without differences', () => {
  const noise = noiseFrom(13);
  const runs = 60;
  const families = Array.from({ length: runs }, () =>
    compare(
      Array.from({ length: 10 }, (_, subject) => pairOf(simulatedBlocks(20, noise), `s${subject}`)),
      { ...SETTINGS, marginPercent: 0.01, resamples: 20 },
    ),
  );
  const wrong = families.filter((family) =>
    family.some(({ verdict }) => verdict === 'faster' || verdict === 'slower'),
  ).length;
  assert.ok(wrong / runs <= 0.05 + 3 * Math.sqrt((0.05 * 0.95) / runs), `${wrong} of ${runs}`);
  const uncorrected = families.flat().filter(({ p }) => p !== null && p < 0.05).length;
  assert.ok(uncorrected > 0, 'the correction had something to do');
});

test('compares pairs: an addition to both loads of a block has no effect', () => {
  const noise = noiseFrom(14);
  const blocks = simulatedBlocks(25, noise, { ratio: 0.9, spread: 0.02 });
  for (const [index, { loads }] of blocks.entries()) {
    for (const load of loads.values()) {
      load.metrics.pageLoadMs = (load.metrics.pageLoadMs ?? 0) * (1 + 2 * Math.sin(index) ** 2);
    }
  }
  const [one] = compare([pairOf(blocks)], { ...SETTINGS, resamples: undefined });
  assert.equal(one?.verdict, 'faster');
  assert.ok(Math.abs((one.ratio?.estimate ?? 0) - 0.9) < 0.02);
  assert.ok((one.ratio?.low ?? 1) < 0.9 && (one.ratio?.high ?? 0) > 0.9);
  assert.equal(one.nPairs, 25);
});

test('returns the same intervals for the same input in any family', () => {
  const pair = pairOf(simulatedBlocks(12, noiseFrom(15)));
  const other = pairOf(simulatedBlocks(12, noiseFrom(16)), 'other.example');
  const [alone] = compare([pair], SETTINGS);
  const [, inCompany] = compare([other, pair], SETTINGS);
  assert.deepEqual(inCompany?.ratio, alone?.ratio);
  assert.deepEqual(inCompany?.difference, alone?.difference);
  const [elsewhere] = compare([{ ...pair, subject: 'b.example' }], SETTINGS);
  assert.notDeepEqual(elsewhere?.difference, alone?.difference, 'every cell has a seed of its own');
  const [otherSeed] = compare([pair], { ...SETTINGS, seed: 2 });
  assert.notDeepEqual(otherSeed?.difference, alone?.difference);
});

test('excludes 1 from the interval of the ratio exactly when the test finds a difference', () => {
  const noise = noiseFrom(20);
  let found = 0;
  for (let run = 0; run < 60; run++) {
    const pair = pairOf(simulatedBlocks(6 + (run % 20), noise, { ratio: 0.95 }));
    const [one] = compare([pair], { ...SETTINGS, resamples: 10 });
    const { p, ratio } = one ?? {};
    assert.ok(ratio?.low && ratio.high && p);
    assert.equal(ratio.low > 1 || ratio.high < 1, p < 0.05);
    if (p < 0.05) found += 1;
  }
  assert.ok(found > 5 && found < 55, 'both happen');
});

test('skips the test below 6 pairs, and notes fewer than 20 and excluded pairs', () => {
  const notesOf = (nPairs: number) => {
    const [one] = compare([pairOf(simulatedBlocks(nPairs, noiseFrom(17)))], SETTINGS);
    return [one?.p === null, one?.ratio?.low === null, one?.notes.length];
  };
  assert.deepEqual(notesOf(5), [true, true, 0]);
  assert.deepEqual(notesOf(6), [false, false, 1]);
  assert.deepEqual(notesOf(19), [false, false, 1]);
  assert.deepEqual(notesOf(20), [false, false, 0]);
  const [broken, ...whole] = simulatedBlocks(21, noiseFrom(18));
  assert.ok(broken);
  const half = new Map([...broken.loads].filter(([arm]) => arm === 'a'));
  const [one] = compare([pairOf([{ ...broken, loads: half }, ...whole])], SETTINGS);
  assert.equal(one?.nPairs, 20);
  assert.match(one?.notes.join() ?? '', /1 pair of 21 is excluded: a load of it was broken/);
});

test('decides another metric if one direction is better, and gives a value of 0 a test but no ratio', () => {
  const blocks = simulatedBlocks(20, noiseFrom(19));
  for (const { loads } of blocks) {
    for (const load of loads.values()) {
      load.metrics.connectMs = load.arm === 'a' ? 0 : 10;
      load.metrics.firstContentfulPaintMs = null;
    }
  }
  const [one] = compare([pairOf(blocks)], SETTINGS);
  const { connectMs, firstContentfulPaintMs, requests, pageLoadMs } = one?.otherMetrics ?? {};
  assert.equal(pageLoadMs, undefined);
  assert.equal(connectMs?.ratio, null);
  assert.equal(connectMs?.difference?.estimate, -10);
  assert.equal(connectMs.lowerInPercent, 100);
  assert.ok((connectMs.pAdjusted ?? 1) < 0.01 && (connectMs.pAdjusted ?? 0) > (connectMs.p ?? 0));
  assert.deepEqual([firstContentfulPaintMs?.nPairs, firstContentfulPaintMs?.p], [0, null]);
  assert.equal(firstContentfulPaintMs?.difference, null);
  assert.deepEqual([requests?.p, requests?.ratio?.estimate], [1, 1]);
  assert.deepEqual(
    [connectMs.verdict, firstContentfulPaintMs?.verdict, requests?.verdict],
    ['faster', 'undecided', null],
  );
});

test('decides a ratio of another metric by the same rules, with its own p', () => {
  const blocks = simulatedBlocks(20, noiseFrom(19));
  for (const { loads } of blocks) {
    for (const [arm, load] of loads) {
      load.metrics.connectMs = arm === 'a' ? 12 : 10;
      load.metrics.firstByteMs = arm === 'a' ? 102 : 100;
    }
  }
  const [one] = compare([pairOf(blocks)], SETTINGS);
  const { connectMs, firstByteMs } = one?.otherMetrics ?? {};
  assert.equal(connectMs?.verdict, 'slower');
  assert.ok((firstByteMs?.pAdjusted ?? 1) < 0.01);
  assert.equal(firstByteMs?.verdict, 'same', 'within the margin of 5 %, whatever the test says');
});

test('calls an arm slower that fails in nearly half of the pairs, however fast the rest is', () => {
  const blocks = simulatedBlocks(100, noiseFrom(21), { ratio: 0.8, spread: 0.01 });
  const failing = (name: string) =>
    blocks.map((block, index): StackPair['blocks'][number] => {
      const load = block.loads.get(name);
      if (!load || index >= 45) return block;
      const otherLoads = [...block.loads].filter(([arm]) => arm !== name);
      return {
        ...block,
        loads: new Map(otherLoads),
        failed: new Map([[name, load]]),
        whole: false,
      };
    });
  const [one] = compare([pairOf(failing('a'))], SETTINGS);
  assert.deepEqual([one?.nPairs, one?.ratio], [100, null]);
  assert.equal(Math.round(one?.lowerInPercent ?? 0), 55);
  assert.equal(one?.verdict, 'slower');
  assert.match(
    one.notes.join(' '),
    /A \(h3\) failed in 45 and B \(h2\) in 0 of 100 pairs; a failure counts as slower/,
  );
  const [other] = compare([pairOf(failing('b'))], SETTINGS);
  assert.deepEqual([other?.verdict, other?.ratio], ['faster', null]);
});
