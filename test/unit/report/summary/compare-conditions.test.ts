import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PageLoad } from '../../../../experiments/page-load/details.ts';
import type { ConditionChange } from '../../../../report/summary/condition-change.ts';
import { conditionChangesCsv } from '../../../../report/summary/condition-changes-csv.ts';
import { type Summary, summarise } from '../../../../report/summary/summary.ts';
import { changeText } from '../../../../report/text/answers.ts';
import { approve } from '../../approve.ts';
import { assertClose } from '../../statistics/golden.ts';
import { DELAYED, type FixtureOptions, fixtureRun, spoil } from '../fixture-run.ts';
import { fixtureSummary, summaryOf } from '../reported.ts';
import { runOnTwoMachines } from '../several-machines.ts';
import { noiseFrom } from './simulated-blocks.ts';

/** Cold and resumed visits to two sites at 300 ms, multiplied by `factorOf`, with some noise. */
function optionsOf(
  factorOf: (load: PageLoad) => number,
  { change, ...options }: FixtureOptions & { seed?: number; spread?: number } = {},
): FixtureOptions {
  const noise = noiseFrom(options.seed ?? 1);
  return {
    subjects: ['a.example', 'b.example'],
    networks: [DELAYED],
    visits: ['cold', 'resumed'],
    repetitions: 12,
    ...options,
    change: (load, details) => {
      load.metrics.pageLoadMs = 300 * factorOf(load) * Math.exp((options.spread ?? 0.03) * noise());
      change?.(load, details);
    },
  };
}

const measured = (...given: Parameters<typeof optionsOf>) => fixtureSummary(optionsOf(...given));

/** Changes of single stacks, those of one stack against another, and the sentences about both. */
function changesOf(summary: Summary) {
  const all = summary.conditionChanges;
  const nTests = all.filter(({ p }) => p !== null).length;
  return {
    conditionChanges: all.filter(({ baseline }) => baseline === null),
    interactions: all.filter(({ baseline }) => baseline !== null),
    sentencesOf: (changes: readonly (ConditionChange | undefined)[]) =>
      changes.map((each) => (each ? changeText(each, { ...summary, nTests }) : '')),
  };
}

/** QUIC gains a quarter by resumption, TCP a tenth. */
const gains = ({ arm, factors }: PageLoad) =>
  factors.visit === 'cold' ? 1 : arm === 'lsquic-h3' ? 0.75 : 0.9;

test('reports the effect of a condition on each stack, with an interval that contains the truth', (t) => {
  const { conditionChanges, sentencesOf } = changesOf(measured(gains));
  assert.deepEqual(
    conditionChanges.map(({ arm, verdict, nSites, nPairs }) => [arm, verdict, nSites, nPairs]),
    ['lsquic-h3', 'bun-h2', 'flask-h1'].map((arm) => [arm, 'faster', 2, 24]),
  );
  for (const { arm, ratio, difference, p, pHolm } of conditionChanges) {
    const truth = arm === 'lsquic-h3' ? 0.75 : 0.9;
    assert.ok(ratio?.low && ratio.high && ratio.low < truth && truth < ratio.high, arm);
    assert.ok(ratio.high - ratio.low < 0.06, arm);
    assert.ok(Math.abs((difference?.estimate ?? 0) - 300 * (truth - 1)) < 8, arm);
    assert.ok(p !== null && pHolm !== null && p < pHolm && pHolm < 0.001);
  }
  approve(t, 'changes', sentencesOf(conditionChanges));
});

test('compares the effect on a stack with that on its baseline', (t) => {
  const { interactions, sentencesOf } = changesOf(measured(gains));
  const [quic] = interactions;
  assert.deepEqual(
    interactions.map(({ arm, baseline, verdict }) => [arm, baseline, verdict]),
    [
      ['lsquic-h3', 'bun-h2', 'faster'],
      ['flask-h1', 'bun-h2', 'same'],
    ],
  );
  const truth = 0.75 / 0.9;
  assert.ok(quic?.ratio?.low && quic.ratio.high);
  assert.ok(quic.ratio.low < truth && truth < quic.ratio.high);
  assert.ok(Math.abs((quic.difference?.estimate ?? 0) - -45) < 10, 'ms, in which 75 less 30 is 45');
  approve(t, 'interactions', sentencesOf(interactions));
});

test('compares stacks in two browsers, and what HTTP/3 gains in each', (t) => {
  const summary = measured(
    ({ arm }) => ({ 'lsquic-h3': 0.9, 'lsquic-h3~beta': 0.72, 'bun-h2~beta': 0.9 })[arm] ?? 1,
    { visits: ['cold'], browser: 'beta', seed: 2 },
  );
  const { conditionChanges, interactions, sentencesOf } = changesOf(summary);
  assert.deepEqual(
    [...conditionChanges, ...interactions].map(
      ({ differsIn, from, to, arm, baseline, verdict }) => [
        ...[differsIn, from.text, to.text],
        ...[arm, baseline, verdict],
      ],
    ),
    [
      ['browser', 'Chromium', 'browser beta', 'lsquic-h3', null, 'faster'],
      ['browser', 'Chromium', 'browser beta', 'bun-h2', null, 'faster'],
      ['browser', 'Chromium', 'browser beta', 'flask-h1', null, 'same'],
      ['browser', 'Chromium', 'browser beta', 'lsquic-h3', 'bun-h2', 'faster'],
      ['browser', 'Chromium', 'browser beta', 'flask-h1', 'bun-h2', 'slower'],
    ],
  );
  const [quic] = interactions;
  const truth = 0.8 / 0.9;
  assert.ok(quic?.ratio?.low && quic.ratio.high && quic.nPairs === 24);
  assert.ok(quic.ratio.low < truth && truth < quic.ratio.high);
  approve(t, 'browsers', sentencesOf([conditionChanges[0], quic]));
});

test("agrees with SciPy's numbers for the same definitions", () => {
  const TIMES: Record<string, number[]> = {
    'lsquic-h3 cold a.example': [400, 410, 395, 405, 420, 390, 402, 408],
    'lsquic-h3 cold b.example': [900, 940, 880, 910, 905, 930, 925, 890],
    'lsquic-h3 resumed a.example': [352, 380, 341, 362, 377, 346, 371, 350],
    'lsquic-h3 resumed b.example': [870, 905, 885, 880, 889, 910, 861, 878],
    'bun-h2 cold a.example': [450, 455, 460, 440, 445, 470, 452, 448],
    'bun-h2 cold b.example': [1000, 1010, 990, 1005, 1020, 980, 995, 1001],
    'bun-h2 resumed a.example': [440, 452, 449, 441, 433, 462, 450, 439],
    'bun-h2 resumed b.example': [985, 1002, 991, 990, 1004, 979, 985, 1003],
  };
  const { conditionChanges, interactions } = changesOf(
    measured(() => 1, {
      repetitions: 8,
      change: (load) => {
        const times = TIMES[`${load.arm} ${load.factors.visit} ${load.subject}`];
        load.metrics.pageLoadMs = times?.[load.block - 1] ?? 100;
      },
    }),
  );
  const golden = [
    {
      found: conditionChanges[0],
      ratio: [0.9314301432332975, 0.9171795470269118, 0.9433826647998509],
      difference: [-34, -44.96641479324111, -25.849868492018537],
      p: 2.017386194919443e-8,
    },
    {
      found: conditionChanges[1],
      ratio: [0.9887373282816582, 0.9837529981074858, 0.9943754202919906],
      difference: [-7.25, -10.90119118227915, -3.114011207259596],
      p: 0.0008578690603277432,
    },
    {
      found: interactions[0],
      ratio: [0.9417497148157163, 0.9295251829638023, 0.9534905473241139],
      difference: [-26, -35.112459948750484, -20.367484382039777],
      p: 1.9940568707986502e-7,
    },
  ];
  for (const { found, ratio, difference, p } of golden) {
    const name = `${found?.arm} against ${found?.baseline}`;
    for (const [index, end] of (['estimate', 'low', 'high'] as const).entries()) {
      assertClose(found?.ratio?.[end], ratio[index] as number, name);
      assertClose(found?.difference?.[end], difference[index] as number, name);
    }
    assert.ok(Math.abs((found?.p ?? 1) / p - 1) < 1e-6, `${name}: ${found?.p}`);
  }
});

test('rarely decides a difference between equal conditions', () => {
  let wrong = 0;
  for (let seed = 1; seed <= 60; seed++) {
    const { conditionChanges } = measured(() => 1, { seed, spread: 0.2 });
    const decided = conditionChanges.filter(
      ({ verdict }) => verdict === 'faster' || verdict === 'slower',
    );
    if (decided.length > 0) wrong++;
  }
  // 5 % of 60 runs are 3; 9 or more have a chance of 0.3 %, and the seeds are fixed.
  assert.ok(wrong < 9, `${wrong} of 60 runs decided something`);
});

test('treats all tests of conditions as one family', () => {
  const { conditionChanges: tested } = measured(gains, { visits: ['cold', 'resumed', 'repeat'] });
  assert.equal(tested.length, 3 * (3 + 2));
  const least = Math.min(...tested.map(({ p }) => p ?? 1));
  const first = tested.find(({ p }) => p === least);
  assertClose(first?.pHolm, 15 * least);
});

test('ranks a load that failed by its server worse than all that ended', (t) => {
  const failing = (last: number) =>
    changesOf(
      measured(gains, {
        subjects: ['a.example'],
        change: (load) => {
          const isMeant = load.arm === 'lsquic-h3' && load.factors.visit === 'resumed';
          if (isMeant && load.block >= 1 && load.block <= last)
            spoil(load, 'failed', 'timeout', 'late');
        },
      }),
    );
  const [one] = failing(1).conditionChanges;
  assert.deepEqual(
    [one?.verdict, one?.nPairs, one?.nFailed],
    ['faster', 12, { arm: 1, baseline: 0 }],
  );
  const most = failing(10);
  const [change] = most.conditionChanges;
  assert.deepEqual([change?.verdict, change?.ratio, change?.difference], ['slower', null, null]);
  const [interaction] = most.interactions;
  assert.deepEqual([interaction?.verdict, interaction?.ratio], ['slower', null]);
  approve(t, 'failures', most.sentencesOf([one, change, interaction]));
});

test('counts failures under both conditions as a tie without information about another stack', (t) => {
  const { conditionChanges, interactions, sentencesOf } = changesOf(
    measured(gains, {
      subjects: ['a.example'],
      change: (load) => {
        if (load.arm === 'lsquic-h3' && load.block > 4) spoil(load, 'failed', 'timeout', 'late');
      },
    }),
  );
  assert.deepEqual(
    [conditionChanges[0]?.nFailed, conditionChanges[0]?.verdict],
    [{ arm: 8, baseline: 8 }, 'undecided'],
  );
  assert.deepEqual([interactions[0]?.nPairs, interactions[0]?.verdict], [4, 'undecided']);
  approve(t, 'tie', sentencesOf(interactions.slice(0, 1)));
});

test('drops pairs with a missing block or an invalid load, and keeps the rest of the block', (t) => {
  const { run, observations } = fixtureRun(
    optionsOf(gains, {
      subjects: ['a.example'],
      change: (load) => {
        if (load.arm === 'bun-h2' && load.factors.visit === 'cold' && load.block === 2) {
          spoil(load, 'invalid', 'machine-stalled', 'The machine stood still.');
        }
      },
    }),
  );
  const isMissing = ({ block, factors }: { block: number; factors: Record<string, string> }) =>
    block === 12 && factors.visit === 'resumed';
  run.trials = run.trials.filter((trial) => !isMissing(trial));
  const { conditionChanges } = changesOf(
    summarise(
      run,
      observations.filter((load) => !isMissing(load)),
    ),
  );
  assert.deepEqual(
    conditionChanges.map(({ nPairs, notes }) => [nPairs, notes.length]),
    [
      [11, 0],
      [10, 1],
      [11, 0],
    ],
  );
  approve(t, 'pair-left-out', conditionChanges[1]?.notes ?? []);
});

test('never pairs loads of two machines', (t) => {
  const fixture = runOnTwoMachines(
    ({ block, factors }) => (block > 3 && block <= 5 && factors.visit === 'resumed' ? 1 : 0),
    optionsOf(gains, { subjects: ['a.example'] }),
  );
  const [first] = summaryOf(fixture).conditionChanges;
  assert.equal(first?.nPairs, 10);
  approve(t, 'two-machines', first.notes);
  const whole = runOnTwoMachines(({ block }) => (block > 6 ? 1 : 0), optionsOf(gains));
  assert.equal(summaryOf(whole).conditionChanges[0]?.nPairs, 24, 'both blocks on the same machine');
});

test('names losses by chance and an order without turns', (t) => {
  const fixture = fixtureRun(
    optionsOf(gains, { networks: [{ ...DELAYED, lossPercent: 1, jitterMs: 2 }] }),
  );
  fixture.run.choices.order = 'sequential';
  approve(t, 'chance', summaryOf(fixture).conditionChanges[0]?.notes ?? []);
});

test('compares the conditions of a run with one stack, without its control', () => {
  const fixture = fixtureRun(optionsOf(gains));
  const only = fixture.run.arms[1];
  assert.ok(only);
  fixture.run.arms = [only, { ...only, arm: 'bun-h2-control', controlOf: 'bun-h2' }];
  const ofArm = ({ arm }: { arm: string }) => arm === 'bun-h2';
  fixture.run.trials = fixture.run.trials.filter(ofArm);
  fixture.observations = fixture.observations.filter(ofArm);
  const { conditionChanges, primary } = summaryOf(fixture);
  assert.deepEqual(
    conditionChanges.map(({ arm, verdict }) => [arm, verdict]),
    [['bun-h2', 'faster']],
  );
  assert.deepEqual(primary, []);
});

test('compares visits only for stacks with both versions if they are identical for stacks of one protocol', () => {
  const visits = ['cold', 'forced', 'discovered', 'h3-used'] as const;
  const fixture = fixtureRun(optionsOf(() => 1, { visits }));
  const [dual] = fixture.run.arms;
  assert.ok(dual);
  dual.protocol = 'h2+h3';
  const { conditionChanges, interactions } = changesOf(summaryOf(fixture));
  const questionsOf = (name: string, changes: readonly ConditionChange[]) =>
    changes
      .filter(({ arm }) => arm === name)
      .map(({ from, to }) => `${to.variant} against ${from.variant}`);
  const ofAll = [
    'discovered against cold',
    'h3-used against cold',
    'discovered against forced',
    'h3-used against forced',
  ];
  assert.deepEqual(
    questionsOf(dual.arm, conditionChanges).toSorted(),
    ['forced against cold', ...ofAll, 'h3-used against discovered'].toSorted(),
  );
  for (const arm of ['bun-h2', 'flask-h1']) {
    assert.deepEqual(questionsOf(arm, conditionChanges).toSorted(), ofAll.toSorted());
  }
  for (const arm of [dual.arm, 'flask-h1']) {
    assert.deepEqual(questionsOf(arm, interactions).toSorted(), ofAll.toSorted());
  }
});

test('omits comparisons of conditions in a run with one condition', () => {
  assert.deepEqual(measured(gains, { visits: ['cold'] }).conditionChanges, []);
});

test('has one row over all sites, the only one with a verdict, and one for each site', () => {
  const [head = '', ...lines] = conditionChangesCsv(measured(gains)).trim().split('\n');
  const columns = head.split(',');
  const column = (name: string) => lines.map((line) => line.split(',')[columns.indexOf(name)]);
  // The common part of both conditions has a comma only if it has several parts.
  assert.equal(lines.length, (3 + 2) * (1 + 2));
  assert.deepEqual(column('site').slice(0, 3), ['', 'a.example', 'b.example']);
  assert.deepEqual(column('verdict').slice(0, 3), ['faster', '', '']);
  assert.deepEqual(column('baseline').slice(-3), ['bun-h2', 'bun-h2', 'bun-h2']);
  assert.deepEqual(new Set(column('differs_in')), new Set(['visit']));
});
