import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnalysisChoice } from '../../../../report/summary/analysis.ts';
import type { SummaryRow } from '../../../../report/summary/rows.ts';
import { summarise } from '../../../../report/summary/summary.ts';
import { summaryTable } from '../../../../report/terminal.ts';
import { answerText } from '../../../../report/text/answers.ts';
import { DELAYED, fixtureRun, NONE, ONE_SITE, spoil } from '../fixture-run.ts';
import { fixtureSummary } from '../reported.ts';

test('has one row for each site and stack, in plan order, with n = the ok loads', () => {
  const { rows } = fixtureSummary({ networks: [NONE], repetitions: 3 });
  assert.deepEqual(
    rows.map(({ subject, arm, n }) => [subject, arm, n]),
    [
      ['www.iana.org', 'lsquic-h3', 3],
      ['www.iana.org', 'bun-h2', 3],
      ['www.iana.org', 'flask-h1', 3],
      ['www.wikipedia.org', 'lsquic-h3', 3],
      ['www.wikipedia.org', 'bun-h2', 3],
      ['www.wikipedia.org', 'flask-h1', 3],
    ],
  );
});

test('warns first about known problems of a page', () => {
  const { run, observations } = fixtureRun();
  const [first, ...rest] = run.subjects;
  assert.ok(first);
  const subjects = [{ ...first, warning: 'the site is nearly empty.' }, ...rest];
  const { warnings } = summarise({ ...run, subjects }, observations.slice(0, 10));
  assert.equal(warnings[0], `${first.subject}: the site is nearly empty.`);
});

test('reports that a run kept what delays one protocol more than another', () => {
  const { run, observations } = fixtureRun();
  const warningsWith = (choices: Partial<typeof run.choices>) =>
    summarise({ ...run, choices: { ...run.choices, ...choices } }, observations).warnings;
  assert.deepEqual(warningsWith({ netLogs: false, tcpInfoMs: null }), []);
  const [netLogs, ...rest] = warningsWith({ netLogs: true, tcpInfoMs: 5 });
  assert.match(netLogs ?? '', /--net-log.*slows QUIC more than TCP/);
  assert.match(rest.join(), /^In loads over TCP .* every 5 ms \(--tcp-info\)/);
});

test('computes statistics from ok loads only, without warm-ups, failed and invalid loads', () => {
  const { run, observations } = fixtureRun({ ...ONE_SITE, repetitions: 5 });
  const loads = observations.filter(({ arm }) => arm === 'bun-h2');
  for (const [index, load] of loads.entries())
    load.metrics.pageLoadMs = [9000, 2, 4, 6, 700, 800][index] ?? null;
  const [, , , , failed, invalid] = loads;
  assert.ok(failed && invalid);
  failed.outcome = 'failed';
  invalid.outcome = 'invalid';
  const row = summarise(run, observations).rows.find(({ arm }) => arm === 'bun-h2');
  assert.deepEqual(row?.metrics.pageLoadMs, {
    n: 3,
    mean: 4,
    median: 4,
    standardDeviation: 2,
    minimum: 2,
    maximum: 6,
    medianInterval: null,
    missing: [],
  });
  const { nPlanned, nOk, nFailed, nInvalid, nWarmup } = row;
  assert.deepEqual(
    { nPlanned, nOk, nFailed, nInvalid, nWarmup },
    { nPlanned: 5, nOk: 3, nFailed: 1, nInvalid: 1, nWarmup: 1 },
  );
});

test('counts an ok load without a timing as ok, and lowers the n of that metric only', () => {
  const [row] = fixtureSummary({
    subjects: ['a.example'],
    change: (load) => {
      if (load.repetition === 2) load.metrics.documentMs = null;
    },
  }).rows;
  assert.equal(row?.n, 3);
  assert.equal(row.metrics.pageLoadMs?.n, 3);
  assert.equal(row.metrics.documentMs?.n, 2);
  assert.deepEqual(row.metrics.documentMs?.missing, [
    { reason: 'the HAR has no such request', count: 1 },
  ]);
});

test("counts an ok load independently of its block's other loads", () => {
  const { run, observations } = fixtureRun({
    ...ONE_SITE,
    repetitions: 4,
    change: (load) => {
      load.metrics.pageLoadMs = 100 * load.repetition;
      if (load.arm === 'flask-h1' && load.repetition === 2)
        spoil(load, 'invalid', 'wrong-protocol', 'h2');
    },
  });
  const made = observations.filter(
    ({ arm, repetition }) => !(arm === 'lsquic-h3' && repetition === 4),
  );
  const { rows, exclusions, comparisons } = summarise(run, made);
  assert.deepEqual(
    rows.map(({ arm, nOk, n, nExcluded, metrics }) => [
      arm,
      nOk,
      n,
      nExcluded,
      metrics.pageLoadMs?.mean,
    ]),
    [
      ['lsquic-h3', 3, 3, 0, 200],
      ['bun-h2', 4, 4, 0, 250],
      ['flask-h1', 3, 3, 0, 800 / 3],
    ],
  );
  assert.deepEqual(
    comparisons.map(({ arm, nPairs }) => [arm, nPairs]),
    [
      ['lsquic-h3', 3],
      ['flask-h1', 3],
    ],
  );
  assert.equal(exclusions.nExcluded, 0);
  assert.deepEqual(exclusions.blocks, { nPlanned: 4, nWhole: 2, nBroken: 2, nNotMade: 0 });
});

test('treats visits as conditions of their own, in rows, comparisons and the overview', () => {
  const { rows, overview, comparisons, primary } = fixtureSummary({
    ...ONE_SITE,
    visits: ['cold', 'repeat'],
    pageLoadMs: (load) => (load.factors.visit === 'cold' ? 200 : 50),
  });
  assert.deepEqual(
    rows.map(({ variant, arm, metrics }) => [variant, arm, metrics.pageLoadMs?.median]),
    ['cold', 'repeat'].flatMap((variant) =>
      ['lsquic-h3', 'bun-h2', 'flask-h1'].map((arm) => [
        variant,
        arm,
        variant === 'cold' ? 200 : 50,
      ]),
    ),
  );
  assert.deepEqual(
    overview.map(({ variant, conditionText }) => [variant, conditionText]),
    [
      ['cold', 'no added delay'],
      ['repeat', 'no added delay, repeat visit with a filled cache'],
    ],
  );
  for (const each of [comparisons, primary]) {
    assert.deepEqual(
      each.map(({ variant, arm }) => [variant, arm]),
      [
        ['cold', 'lsquic-h3'],
        ['cold', 'flask-h1'],
        ['repeat', 'lsquic-h3'],
        ['repeat', 'flask-h1'],
      ],
    );
  }
});

test('counts and marks disturbed loads, and gives the answer without their blocks too', () => {
  const { run, observations } = fixtureRun({
    subjects: ['a.example', 'b.example'],
    networks: [NONE],
    repetitions: 7,
    change: (load) => {
      load.metrics.pageLoadMs = 100 + load.repetition;
      if (load.arm === 'lsquic-h3' && load.repetition <= 3) {
        load.metrics.pageLoadMs = 900;
        load.disturbed = 'Other programs took 80 % of a core.';
      }
    },
  });
  const { rows, primary, exclusions, comparisons, warnings } = summarise(run, observations);
  assert.match(
    warnings.join('\n'),
    /^Other programs were using this machine during 6 of 42 loads /m,
  );
  assert.deepEqual(
    rows.map(({ n, nDisturbed }) => [n, nDisturbed]),
    [
      [7, 3],
      [7, 0],
      [7, 0],
      [7, 3],
      [7, 0],
      [7, 0],
    ],
  );
  assert.equal(exclusions.disturbed.nLoads, 6);
  assert.equal(exclusions.disturbed.nCounted, 6);
  assert.deepEqual(exclusions.disturbed.countByStack, { 'lsquic-h3': 6 });
  assert.match(exclusions.disturbed.examples[0]?.reason ?? '', /80 % of a core/);
  assert.ok((primary[0]?.ratio?.estimate ?? 0) > 1.1, 'they are in the ratio');
  assert.equal(primary[0]?.ratioWithoutDisturbed?.estimate, 1);
  assert.match(comparisons[0]?.notes.join(' ') ?? '', /not quiet during 3 blocks/);
  assert.equal(fixtureSummary(ONE_SITE).primary[0]?.ratioWithoutDisturbed, null);
});

test('flags outliers and keeps them in the numbers', () => {
  const [row] = fixtureSummary({
    ...ONE_SITE,
    repetitions: 7,
    pageLoadMs: (load) => (load.repetition === 7 ? 10_000 : 100 + load.repetition),
  }).rows;
  assert.deepEqual(row?.outliers, ['s1.none.lsquic-h3.7']);
  assert.equal(row.metrics.pageLoadMs?.maximum, 10_000);
  assert.deepEqual(row.loads, {
    fastest: 's1.none.lsquic-h3.1',
    median: 's1.none.lsquic-h3.4',
    slowest: 's1.none.lsquic-h3.7',
  });
});

test('keeps the row of a stack that never loaded, with null statistics', () => {
  const row = fixtureSummary({
    subjects: ['a.example'],
    change: (load) => {
      if (load.arm === 'flask-h1') spoil(load, 'failed', 'navigation-failed', 'refused');
    },
  }).rows.find(({ arm }) => arm === 'flask-h1');
  assert.equal(row?.nFailed, 3);
  assert.equal(row.n, 0);
  assert.equal(row.metrics.pageLoadMs?.median, null);
});

test('counts exclusions by reason, warm-ups apart, with the first load as the example', () => {
  const { exclusions } = fixtureSummary({
    networks: [NONE],
    change: (load) => {
      if (load.arm !== 'bun-h2') return;
      if (load.warmup || load.repetition === 1)
        spoil(load, 'failed', 'timeout', `late: ${load.id}`);
      if (load.repetition === 2) spoil(load, 'invalid', 'wrong-protocol', 'h2');
    },
  });
  assert.deepEqual(exclusions.entries, [
    {
      outcome: 'failed',
      code: 'timeout',
      count: 2,
      countByStack: { 'bun-h2': 2 },
      warmupCount: 2,
      example: {
        id: 's1.none.bun-h2.warm-up',
        subject: 'www.iana.org',
        arm: 'bun-h2',
        message: 'late: s1.none.bun-h2.warm-up',
      },
    },
    {
      outcome: 'invalid',
      code: 'wrong-protocol',
      count: 2,
      countByStack: { 'bun-h2': 2 },
      warmupCount: 0,
      example: { id: 's1.none.bun-h2.2', subject: 'www.iana.org', arm: 'bun-h2', message: 'h2' },
    },
  ]);
});

test('calls a whole run complete, and reports the progress of an interrupted one', () => {
  const { run, observations } = fixtureRun({ networks: [NONE], repetitions: 3 });
  assert.deepEqual(summarise(run, observations).warnings, []);
  const { progress, warnings, rows } = summarise(run, observations.slice(0, 10));
  assert.deepEqual(progress, {
    plannedPageLoads: 18,
    donePageLoads: 7,
    plannedWarmups: 6,
    doneWarmups: 3,
    complete: false,
  });
  assert.match(warnings[0] ?? '', /7 of 18 loads and 3 of 6 warm-ups/);
  assert.equal(rows.length, 6);
});

test('counts a repeated block once, and reports the loads of the lost attempt', () => {
  const { run, observations } = fixtureRun({ warmups: false });
  const again = observations
    .filter(({ block, subject }) => block === 1 && subject === observations[0]?.subject)
    .filter(({ network }) => network.name === observations[0]?.network.name)
    .map((load) => ({ ...load, id: `${load.id}~2`, attempt: 2 }));
  assert.equal(again.length, 3);
  // The first worker made one load of the block.
  const lost = observations
    .filter(({ id }) => again.some((load) => load.id === `${id}~2`))
    .slice(1);
  const made = [...observations.filter((load) => !lost.includes(load)), ...again];
  const whole = summarise(run, observations);
  const { progress, rows, warnings, comparisons } = summarise(run, made);
  assert.deepEqual(progress, whole.progress);
  assert.deepEqual(rows.map(countsOf), whole.rows.map(countsOf));
  assert.deepEqual(comparisons, whole.comparisons);
  assert.match(warnings[0] ?? '', /^1 block was begun again .* 1 load of other attempts \(1 ok\)/);
  const begun = summarise(run, made.slice(0, -1));
  assert.equal(begun.progress.complete, false);
  assert.equal(begun.progress.donePageLoads, whole.progress.donePageLoads - 1);
});

function countsOf({ n, nOk, nFailed, nInvalid, nPlanned }: SummaryRow) {
  return { n, nOk, nFailed, nInvalid, nPlanned };
}

test('includes only sites with counted loads on every stack in the overview', () => {
  const [overview] = fixtureSummary({
    subjects: ['a.example', 'b.example', 'c.example'],
    change: (load) => {
      const siteMs = load.subject === 'a.example' ? 100 : 300;
      load.metrics.pageLoadMs = siteMs + (load.arm === 'lsquic-h3' ? 0 : 10);
      if (load.subject === 'c.example' && load.arm === 'flask-h1')
        spoil(load, 'failed', 'timeout', '');
    },
  }).overview;
  assert.equal(overview?.nSites, 2);
  assert.deepEqual(
    overview.arms.map(({ medianOfSiteMedians }) => medianOfSiteMedians),
    [200, 210, 210],
  );
});

test('never mixes network conditions', () => {
  const { rows, overview } = fixtureSummary({
    subjects: ['a.example'],
    pageLoadMs: (load) => (load.network.name === '30ms' ? 5000 : 100),
  });
  assert.deepEqual(
    rows.map(({ network, n, nWarmup }) => [network.name, n, nWarmup]),
    [
      ['none', 3, 1],
      ['none', 3, 1],
      ['none', 3, 1],
      ['30ms', 3, 0],
      ['30ms', 3, 0],
      ['30ms', 3, 0],
    ],
  );
  assert.equal(rows[0]?.metrics.pageLoadMs?.mean, 100);
  assert.equal(rows[3]?.metrics.pageLoadMs?.mean, 5000);
  assert.deepEqual(
    overview.map(({ network }) => network),
    [NONE, DELAYED],
  );
});

test('reports in a row its requested network, the backend, and the round trip before its loads', () => {
  const { run, observations } = fixtureRun({
    subjects: ['a.example'],
    networks: [DELAYED],
    backend: 'netem',
    change: (load) => {
      load.network.measuredRttMs = load.repetition === 1 ? null : 30 + load.repetition;
    },
  });
  const [row] = summarise(run, observations).rows;
  assert.deepEqual(row?.network, { ...DELAYED, backend: 'netem', measuredRttMs: 32 });
  const [empty] = summarise(run, []).rows;
  assert.deepEqual(empty?.network, { ...DELAYED, backend: 'netem', measuredRttMs: null });
});

test('rejects loads or calibrations of a backend or network that differs from the plan', () => {
  const { run, observations, calibrations } = fixtureRun();
  const other = fixtureRun({ backend: 'netem' });
  assert.throws(
    () => summarise(run, other.observations),
    /over the backend netem, expected userspace as in run\.json/,
  );
  assert.throws(
    () => summarise(run, observations, other.calibrations),
    /network none \(0 ms RTT, netem\), which run\.json did not plan/,
  );
  const { run: delayedOnly } = fixtureRun({ networks: [DELAYED] });
  assert.throws(() => summarise(delayedOnly, observations), /network none.*did not plan/);
  assert.throws(() => summarise(delayedOnly, [], calibrations), /network none.*did not plan/);
});

test('rejects loads outside the plan and names them', () => {
  const { run } = fixtureRun({ subjects: ['a.example'] });
  const { observations } = fixtureRun({ subjects: ['b.example'] });
  assert.throws(() => summarise(run, observations), / at b\.example, arm .*run\.json did not plan/);
});

test('replaces the plan’s baseline and margin by those chosen after the run, and reports it', () => {
  const { run, observations, calibrations } = fixtureRun(ONE_SITE);
  const planned = summarise(run, observations, calibrations);
  assert.deepEqual(planned.analysis, {
    baseline: 'bun-h2',
    marginPercent: 5,
    metric: 'pageLoadMs',
    pairs: [
      { arm: 'lsquic-h3', baseline: 'bun-h2' },
      { arm: 'flask-h1', baseline: 'bun-h2' },
    ],
    chosenAfterTheRun: false,
    nTests: 0,
  });
  const choice = { baseline: 'flask-h1', marginPercent: 10 };
  const { analysis, warnings, comparisons } = summarise(run, observations, calibrations, {
    choice,
  });
  assert.deepEqual(analysis, {
    ...choice,
    metric: 'pageLoadMs',
    pairs: [
      { arm: 'lsquic-h3', baseline: 'flask-h1' },
      { arm: 'bun-h2', baseline: 'flask-h1' },
    ],
    chosenAfterTheRun: true,
    nTests: 0,
  });
  assert.match(
    warnings.join(),
    /Baseline and margin were chosen after the run: flask-h1 and 10 %, where the plan had bun-h2 and 5 %\./,
  );
  assert.deepEqual(
    comparisons.map(({ arm, baseline }) => [arm, baseline]),
    [
      ['lsquic-h3', 'flask-h1'],
      ['bun-h2', 'flask-h1'],
    ],
  );
  const same = { choice: { baseline: 'bun-h2' } };
  assert.equal(summarise(run, observations, [], same).analysis.chosenAfterTheRun, false);
});

test('rejects an unknown baseline and an invalid margin, with the valid ones', () => {
  const { run, observations } = fixtureRun({ subjects: ['a.example'] });
  const chosen = (choice: AnalysisChoice) => () => summarise(run, observations, [], { choice });
  assert.throws(chosen({ baseline: 'nginx' }), {
    name: 'AnalysisChoiceError',
    message: 'The baseline is nginx, expected a stack of this run: lsquic-h3, bun-h2, flask-h1.',
  });
  assert.throws(chosen({ marginPercent: 0 }), /margin is 0 %, expected a number above 0/);
  assert.throws(chosen({ marginPercent: Number.NaN }), /margin is NaN %/);
  run.analysis.baseline = 'nginx';
  assert.throws(() => summarise(run, observations), { name: 'DamagedRunError' });
});

test('has rows, comparisons and sentences without numbers for a run without loads', () => {
  const { run } = fixtureRun({ subjects: ['a.example'] });
  const summary = summarise(run, []);
  const { comparisons, primary, overview, sweeps } = summary;
  assert.deepEqual(new Set(comparisons.map(({ verdict }) => verdict)), new Set(['undecided']));
  for (const each of primary) {
    assert.deepEqual([each.ratio, each.nPairs], [null, 0]);
    assert.match(answerText(each, summary), /cannot be compared: there is no pair of loads/);
  }
  assert.equal(overview[0]?.nSites, 0);
  assert.deepEqual(sweeps[0]?.rows[0]?.mediansMs, [null, null]);
});

test('warns and notes that a stack was given up: its loads count as failures, or drop their pairs', () => {
  const summaryWith = (code: string) => {
    return fixtureSummary({
      subjects: ['a.example', 'b.example'],
      networks: [NONE],
      repetitions: 8,
      change: (load) => {
        if (load.arm !== 'lsquic-h3' || load.subject !== 'a.example' || load.warmup) return;
        spoil(load, 'failed', load.block > 3 ? code : 'timeout', `It ${code}.`);
      },
    });
  };
  const own = summaryWith('given-up');
  const [ofPage, elsewhere] = own.comparisons.filter(({ arm }) => arm === 'lsquic-h3');
  assert.equal(ofPage?.subject, 'a.example');
  assert.deepEqual([ofPage?.verdict, ofPage?.nPairs], ['slower', 8]);
  const given = (sentences: readonly string[] = []) =>
    sentences.filter((each) => /given up/.test(each));
  assert.deepEqual(given(ofPage?.notes), [
    'lsquic (h3) was given up: 5 loads were not made and count as failures. It given-up.',
  ]);
  assert.deepEqual(given(elsewhere?.notes), []);
  assert.match(
    given(own.warnings).join(),
    /^lsquic \(h3\) was given up on 1 page \(a\.example\), .*: 5 loads were not made and count as failures/,
  );
  assert.equal(own.exclusions.blocks.nNotMade, 0);

  const broken = summaryWith('given-up-broken');
  const [pair] = broken.comparisons.filter(({ arm }) => arm === 'lsquic-h3');
  assert.deepEqual([pair?.verdict, pair?.nPairs], ['undecided', 3]);
  assert.match(given(pair?.notes).join(), /5 loads were not made; their pairs are excluded/);
});

test("names the shard's part of the plan in its report, until all loads are there", () => {
  const { run, observations, invocations } = fixtureRun({ repetitions: 8 });
  const shard = invocations.map((each) => ({ ...each, part: 'shard 1/2 by blocks' }));
  const half = observations.filter(({ block }) => block <= 4);
  const warningsOf = (...[loads, made]: [typeof observations, typeof invocations]) =>
    summarise(run, loads, [], { invocations: made }).warnings.join(' ');
  assert.match(
    warningsOf(half, shard),
    /This is shard 1\/2 by blocks of its plan, .* npm run merge/,
  );
  assert.doesNotMatch(warningsOf(half, invocations), /shard/);
  assert.doesNotMatch(warningsOf(observations, shard), /shard/);
});

test('filmed loads change nothing in a summary but the metrics that they alone have', () => {
  const { run, observations, calibrations } = fixtureRun({ repetitions: 6 });
  const filmed = { warmup: true, filmed: true, block: 0, repetition: 1 };
  const planned = run.trials.map((trial) => ({ ...trial, id: `${trial.id}.film`, ...filmed }));
  const films = structuredClone(observations).map((load, index) => {
    Object.assign(load, filmed, { id: `${load.id}.film`, order: index + 1 });
    for (const name of Object.keys(load.metrics)) load.metrics[name] = 99_999;
    load.metrics.speedIndexMs = load.arm === 'bun-h2' ? 600 : 500;
    if (load.path) load.path.toClient.packets = 99_999;
    if (index % 2 === 0) spoil(load, 'failed', 'timeout', 'It was late.');
    return load;
  });
  const counted = observations.map((load) => ({ ...load, order: films.length + load.order }));
  const summaryOf = (loads: typeof observations, trials: typeof run.trials) =>
    summarise({ ...run, trials }, loads, calibrations);
  const summary = summaryOf([...films, ...counted], [...planned, ...run.trials]);
  assert.deepEqual({ ...summary, filmed: [] }, summaryOf(counted, run.trials));
  const [first] = summary.filmed;
  assert.deepEqual([first?.metric, first?.median], ['speedIndexMs', 500]);
  assert.equal(
    first?.nLoads,
    films.filter(
      ({ outcome, arm, network }) =>
        outcome === 'ok' && arm === first?.arm && network.name === first.network,
    ).length,
  );
  assert.match(summaryTable(summary), /Speed Index of filmed loads, .*: 500.0 ms against 600.0 ms/);
});
