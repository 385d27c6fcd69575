import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PageLoad } from '../../../../experiments/page-load/details.ts';
import { checkAge, loadAges } from '../../../../report/summary/age.ts';
import { DELAYED, fixtureRun, NONE } from '../fixture-run.ts';
import { fixtureSummary, summaryOf } from '../reported.ts';
import { noiseFrom } from './simulated-blocks.ts';

const BLOCKS_PER_START = 3;

/** A run of two sites, with new servers and browsers for every three blocks: at an age of 0 a load of lsquic takes `slower` longer. */
function agedRun(noise: () => number, slower: number, repetitions = 12) {
  const { run, observations } = fixtureRun({ networks: [NONE], repetitions });
  const warmUps = observations.filter(({ warmup }) => warmup);
  const made: PageLoad[] = [];
  for (const [subject, loads] of Map.groupBy(observations, (load) => load.subject)) {
    for (const load of loads.filter(({ warmup }) => !warmup)) {
      const age = (load.block - 1) % BLOCKS_PER_START;
      const isFirst = age === 0 && !made.some((each) => isOfBlock(each, load));
      const again = isFirst
        ? warmUps
            .filter((warmUp) => warmUp.subject === subject)
            .map((warmUp) => ({ ...warmUp, id: `${warmUp.id}@${load.block}` }))
        : [];
      const drift = load.arm === 'lsquic-h3' ? slower / (1 + age) : 0;
      const pageLoadMs = 400 * Math.exp(0.1 * noise() + drift);
      made.push(...again, { ...load, metrics: { ...load.metrics, pageLoadMs } });
    }
  }
  return { run, observations: made.map((load, index) => ({ ...load, order: index + 1 })) };
}

function isOfBlock(each: PageLoad, { subject, block }: PageLoad): boolean {
  return !each.warmup && each.subject === subject && each.block === block;
}

test('has the age of a load in counted loads of its stack since the last warm-ups', () => {
  const { observations } = agedRun(noiseFrom(1), 0, 5);
  const ages = loadAges(observations);
  for (const load of observations.filter(({ warmup }) => !warmup)) {
    const age = ages.get(load);
    assert.equal(age?.countedLoads, (load.block - 1) % BLOCKS_PER_START, load.id);
  }
  assert.equal(ages.size, 2 * 3 * 5);
  assert.equal(new Set([...ages.values()].map(({ start }) => start)).size, 2 * 3 * 2);
});

test('has no age for loads without a known warm-up, and does not count what never began', () => {
  const { observations } = fixtureRun({ warmups: false });
  assert.equal(loadAges(observations).size, 0);
  const { observations: warmed } = fixtureRun({ networks: [NONE], subjects: ['a.example'] });
  const unbegun = warmed.map((load) => (load.block === 1 ? { ...load, path: null } : load));
  const counts = [...loadAges(unbegun).values()].map(({ countedLoads }) => countedLoads);
  assert.deepEqual(counts, [0, 0, 0, 1, 1, 1]);
});

test('warns next to the answer of a stack that is slow after its start, and not at another pair', () => {
  const { ageChecks, primary } = summaryOf(agedRun(noiseFrom(2), 0.5));
  const [lsquic, flask] = ageChecks;
  assert.equal(lsquic?.arm, 'lsquic-h3');
  assert.ok(lsquic.depends);
  assert.ok((lsquic.perDoubling?.high ?? 1) < 1);
  assert.deepEqual([lsquic.nPairs, lsquic.nStarts, lsquic.oldest], [24, 8, 2]);
  const about =
    /^Warning: the ratio depends on how long server and browser have been running\. .*\(p below 0\.001, tested at the level of 0\.01\).* ages of 0 to 2 loads/;
  assert.match(primary[0]?.notes[0] ?? '', about);
  assert.equal(flask?.depends, false);
  assert.doesNotMatch(primary[1]?.notes.join() ?? '', /depends on how long/);
});

test('warns of a stack that drifts for ever, and keeps its answer', () => {
  const noise = noiseFrom(4);
  let loads = 0;
  const { ageChecks, primary } = fixtureSummary({
    networks: [NONE],
    subjects: ['a.example'],
    repetitions: 20,
    change: (load) => {
      if (load.arm === 'bun-h2') loads++;
      const drift = load.arm === 'lsquic-h3' ? 0.05 * loads : 0;
      load.metrics.pageLoadMs = 400 * Math.exp(0.05 * noise() + drift);
    },
  });
  assert.ok(ageChecks[0]?.depends);
  assert.ok((ageChecks[0].perDoubling?.low ?? 0) > 1);
  assert.equal(primary[0]?.verdict, 'slower');
  assert.match(primary[0]?.notes.join() ?? '', /does not hold for other ages/);
});

test('makes no test and no warning with too few pairs, failures or one pair of each start', () => {
  const [check] = summaryOf(agedRun(noiseFrom(5), 0.5, 1)).ageChecks;
  assert.deepEqual(
    [check?.nPairs, check?.p, check?.perDoubling, check?.depends],
    [0, null, null, false],
  );
  const [failed] = fixtureSummary({
    networks: [NONE],
    change: (load) => {
      if (load.arm !== 'lsquic-h3') return;
      load.outcome = 'failed';
      load.code = 'timeout';
      load.message = 'No load event within 30 s.';
    },
  }).ageChecks;
  assert.deepEqual([failed?.nPairs, failed?.p], [0, null]);
});

test('warns in about 1 % of answers without an effect of age', () => {
  const noise = noiseFrom(6);
  const { run, observations } = agedRun(noise, 0);
  const ages = loadAges(observations);
  const summary = summaryOf({ run, observations });
  const metric = { name: 'pageLoadMs' } as Parameters<typeof checkAge>[2];
  const nRuns = 4000;
  let warned = 0;
  const blocks = observations.filter(({ warmup }) => !warmup);
  const subjects = [...Map.groupBy(blocks, ({ subject }) => subject)].map(([subject, loads]) => ({
    subject,
    blocks: [...Map.groupBy(loads, ({ block }) => block).values()].map((own) => ({
      loads: new Map(own.map((load) => [load.arm, load])),
    })),
  }));
  const [arm, baseline] = run.arms;
  assert.ok(arm && baseline && summary.ageChecks[0]);
  const question = {
    arm,
    baseline,
    network: NONE,
    variant: 'cold',
    subjects,
  } as unknown as Parameters<typeof checkAge>[0];
  for (let drawn = 0; drawn < nRuns; drawn++) {
    for (const load of blocks) load.metrics.pageLoadMs = 400 * Math.exp(0.1 * noise());
    warned += Number(checkAge(question, ages, metric).depends);
  }
  // 40 are expected; the standard error is 6.3.
  assert.ok(warned >= 20 && warned <= 60, `${warned} of ${nRuns}`);
});

test('tests a condition by its own pairs', () => {
  const checks = fixtureSummary({
    networks: [NONE, DELAYED],
    repetitions: 12,
    change: (load) => {
      const drift = load.arm === 'lsquic-h3' && load.network.name === '30ms' ? load.block / 8 : 0;
      load.metrics.pageLoadMs = (load.metrics.pageLoadMs ?? 0) * Math.exp(drift);
    },
  }).ageChecks;
  assert.deepEqual(
    checks.map(({ network, arm, depends }) => [network, arm, depends]),
    [
      ['none', 'lsquic-h3', false],
      ['none', 'flask-h1', false],
      ['30ms', 'lsquic-h3', true],
      ['30ms', 'flask-h1', false],
    ],
  );
});
