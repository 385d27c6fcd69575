import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PageLoad } from '../../../../experiments/page-load/details.ts';
import { pageLoad } from '../../../../experiments/page-load/experiment.ts';
import { metricNamed } from '../../../../ground/experiment.ts';
import type { LookRecord, StopReason } from '../../../../ground/records/look.ts';
import type { StackReadings } from '../../../../ground/records/stack-readings.ts';
import { type Summary, summarise } from '../../../../report/summary/summary.ts';
import { answerText, underCondition } from '../../../../report/text/answers.ts';
import { reasonText } from '../../../../report/text/reason.ts';
import { nominalLevels } from '../../../../statistics/group-sequential.ts';
import { approve } from '../../approve.ts';
import { madeLook, STOPPING } from '../../made-run.ts';
import { DELAYED, type Fixture, fixtureRun, NONE, ONE_SITE, spoil } from '../fixture-run.ts';
import { fixtureSummary, summaryOf } from '../reported.ts';

const PAGES = { marginPercent: 5, experiment: pageLoad };
const METRIC = metricNamed(pageLoad, 'pageLoadMs');

const SITES = ['a.example', 'b.example', 'c.example', 'd.example'];

/** Text of answers: one line each, and one for each of its notes. */
function sentencesOf(summary: Summary, answers = summary.primary): string[] {
  return answers.flatMap((answer) => [
    underCondition(answer, answerText(answer, summary)),
    ...answer.notes.map((note) => `  ${note}`),
  ]);
}

/** Four sites on which lsquic takes this share of Bun's time, with some noise. */
function primaryOf(ratioOf: (subject: string, rttMs: number) => number, repetitions = 12) {
  return fixtureSummary({
    subjects: SITES,
    networks: [NONE, DELAYED],
    repetitions,
    change: (load) => {
      const ratio = load.arm === 'lsquic-h3' ? ratioOf(load.subject, load.network.rttMs) : 1;
      load.metrics.pageLoadMs = 300 * ratio * (1 + 0.01 * Math.sin(load.order * 78.233));
    },
  });
}

test('answers each condition in terms that a site owner understands, with its numbers', (t) => {
  const summary = primaryOf((_, rttMs) => (rttMs === 0 ? 1.2 : 0.9));
  const { primary } = summary;
  const [without, , delayed] = primary;
  assert.equal(without?.verdict, 'slower');
  assert.equal(delayed?.verdict, 'faster');
  for (const [answer, ratio, differenceMs] of [
    [without, 1.2, 60],
    [delayed, 0.9, -30],
  ] as const) {
    assert.ok(Math.abs((answer?.ratio?.estimate ?? 0) - ratio) < 0.01);
    assert.ok(Math.abs((answer?.difference?.estimate ?? 0) - differenceMs) < 1.5);
  }
  approve(t, 'conditions', sentencesOf(summary));
  assert.deepEqual(delayed?.verdicts, { faster: 4, slower: 0, same: 0, undecided: 0 });
  assert.deepEqual([delayed?.nSites, delayed?.nPairs], [4, 48]);
});

test('weights sites equally, and answers sites that contradict each other on average', () => {
  const ratios = new Map(SITES.map((subject, index) => [subject, [0.5, 2, 0.8, 1.25][index] ?? 1]));
  const [one] = primaryOf((subject) => ratios.get(subject) ?? 1).primary;
  assert.equal(one?.verdict, 'same');
  assert.ok(Math.abs((one?.ratio?.estimate ?? 0) - 1) < 0.02);
  assert.deepEqual(one?.verdicts, { faster: 2, slower: 2, same: 0, undecided: 0 });
});

test('accepts equality within the margin as an answer', (t) => {
  const summary = primaryOf(() => 1.01);
  const { primary } = summary;
  assert.equal(primary[0]?.verdict, 'same');
  approve(t, 'equal', sentencesOf(summary, primary.slice(0, 1)));
});

test('mentions the protocol only for a pair that is known to be like for like', () => {
  const { run, observations } = fixtureRun({ subjects: SITES, networks: [NONE], repetitions: 3 });
  const said = () => summarise(run, observations).primary.map(({ likeForLike }) => likeForLike);
  assert.deepEqual(said(), [false, false]);
  const known = allTheSame({ run, observations });
  run.fairness.readings = { 'lsquic-h3': known, 'bun-h2': known, 'flask-h1': {} };
  for (const load of observations) {
    if (load.details?.traffic) load.details.traffic.tlsVersion = 'TLS 1.3';
  }
  assert.deepEqual(said(), [true, false]);
  const [verdict] = summarise(run, observations).fairness[0]?.verdicts ?? [];
  assert.match(verdict?.conditions[0]?.sentence ?? '', /^like for like/);
});

test('names the differences between transports of one server program', (t) => {
  const { run, observations } = oneSite(() => {});
  const known = allTheSame({ run, observations });
  const quic = { ...known, windowGrowth: { value: 'always', from: 'test' } };
  const tcp = { ...known, windowGrowth: { value: 'when used', from: 'test' } };
  run.fairness.readings = { 'lsquic-h3': quic, 'bun-h2': tcp, 'flask-h1': {} };
  for (const load of observations) {
    if (load.details?.traffic) load.details.traffic.tlsVersion = 'TLS 1.3';
  }
  const summary = summarise(run, observations);
  assert.equal(summary.primary[0]?.likeForLike, false);
  approve(t, 'transports', sentencesOf(summary));
});

/** One value for every property in a run's fairness comparison. */
function allTheSame({ run, observations }: Pick<Fixture, 'run' | 'observations'>): StackReadings {
  const properties = [
    ...summarise(run, observations).fairness.flatMap(({ verdicts }) => verdicts),
    ...run.fairness.pairs,
  ].flatMap((pair) => pair.properties.map(({ property }) => property));
  const same = { value: 'the same', from: 'test' };
  return Object.fromEntries(
    [...properties, 'windowGrowth', 'pacing'].map((property) => [property, same]),
  );
}

/**
 * One site on which lsquic takes 0.8 of Bun's time and Flask 1.6 of it, with some noise and these
 * changes.
 */
function oneSite(change: (load: PageLoad) => void, repetitions = 12): Fixture {
  const factors: Record<string, number> = { 'lsquic-h3': 0.8, 'flask-h1': 1.6 };
  return fixtureRun({
    ...ONE_SITE,
    repetitions,
    change: (load) => {
      const noise = 1 + 0.01 * Math.sin(load.order * 78.233);
      load.metrics.pageLoadMs = 300 * (factors[load.arm] ?? 1) * noise;
      if (!load.warmup) change(load);
    },
  });
}

const failBefore = (arm: string, last: number) => (load: PageLoad) => {
  if (load.arm === arm && load.repetition <= last) spoil(load, 'failed', 'timeout', 'late');
};

function answerOf(fixture: Fixture) {
  const summary = summaryOf(fixture);
  const [answer] = summary.primary;
  assert.ok(answer);
  return { ...answer, sentence: answerText(answer, summary) };
}

test('counts an occasional failure, which changes little', () => {
  const { verdict, nPairs, nFailed, ratio } = answerOf(oneSite(failBefore('bun-h2', 1)));
  assert.deepEqual([verdict, nPairs, nFailed], ['faster', 12, { arm: 0, baseline: 1 }]);
  assert.ok(ratio?.low && ratio.low > 0.75 && ratio.high && ratio.high < 0.83);
});

test('drops the limit on their side, not the answer, if failures reach the end of every interval', (t) => {
  const { verdict, nPairs, nFailed, ratio, sentence } = answerOf(oneSite(failBefore('bun-h2', 3)));
  assert.deepEqual([verdict, nPairs], ['faster', 12]);
  assert.deepEqual(nFailed, { arm: 0, baseline: 3 });
  assert.ok(ratio && ratio.estimate > 0.75 && ratio.estimate < 0.81);
  assert.deepEqual([ratio.low, (ratio.high ?? 9) < 0.83], [null, true]);
  approve(t, 'one-limit', [sentence]);
});

test('does not call an arm faster that fails as often as it works', (t) => {
  const half = answerOf(oneSite(failBefore('lsquic-h3', 5)));
  assert.deepEqual([half.verdict, half.ratio, half.difference], ['undecided', null, null]);
  assert.deepEqual(half.nFailed, { arm: 5, baseline: 0 });
  approve(t, 'fails-half', [half.sentence]);
});

test('calls the arm with more failures slower, once chance cannot explain them', (t) => {
  const more = answerOf(oneSite(failBefore('lsquic-h3', 8)));
  assert.deepEqual([more.verdict, more.ratio, more.decidedAfterPairs], ['slower', null, 12]);
  const less = answerOf(oneSite(failBefore('bun-h2', 8)));
  assert.equal(less.verdict, 'faster');
  approve(t, 'fails-more', [more.sentence, less.sentence]);
});

test('counts two failures at the same time as a tie', () => {
  const { nFailed, ratio } = answerOf(
    oneSite((load) => {
      if (load.repetition <= 2) spoil(load, 'failed', 'timeout', 'late');
    }),
  );
  assert.deepEqual(nFailed, { arm: 2, baseline: 2 });
  assert.ok(ratio?.low && ratio.high && ratio.high < 1);
});

test('has no interval when each fails where the other works, but not because of too few pairs', (t) => {
  const { ratio, verdict, sentence } = answerOf(
    oneSite((load) => {
      const failing = load.repetition <= 2 ? 'lsquic-h3' : 'bun-h2';
      if (load.repetition <= 4 && load.arm === failing) spoil(load, 'failed', 'timeout', '');
    }, 6),
  );
  assert.deepEqual([ratio?.low, ratio?.high, verdict], [null, null, 'undecided']);
  approve(t, 'no-interval', [sentence]);
});

test('leaves the answer open if one site has fewer than 6 pairs, however clear the rest is', (t) => {
  const summary = fixtureSummary({
    subjects: ['a.example', 'b.example'],
    networks: [NONE],
    repetitions: 12,
    change: (load) => {
      load.metrics.pageLoadMs = load.arm === 'lsquic-h3' ? 100 + load.repetition : 200;
      const isBroken = load.subject === 'b.example' && load.repetition > 5;
      if (isBroken && !load.warmup) spoil(load, 'failed', 'browser-failed', 'crashed');
    },
  });
  const [answer] = summary.primary;
  assert.deepEqual([answer?.verdict, answer?.nPairs, answer?.ratio?.low], ['undecided', 17, null]);
  approve(t, 'too-few', sentencesOf(summary, summary.primary.slice(0, 1)));
});

test('treats the answers of a run as one family that shares the 5 %', () => {
  const unclear = oneSite((load) => {
    load.metrics.pageLoadMs = 300 + ((load.order * 7919) % 100);
  });
  assert.deepEqual(
    summaryOf(unclear).primary.map(({ level }) => level.toFixed(6)),
    ['0.025000', '0.025000'],
  );
  const clear = oneSite(() => {});
  assert.deepEqual(
    summaryOf(clear).primary.map(({ level, decidedAfterPairs }) => [
      level.toFixed(6),
      decidedAfterPairs,
    ]),
    [
      ['0.025000', 12],
      ['0.025000', 12],
    ],
  );
});

test('generalizes to similar pages from 5 sites on, without failures', () => {
  const [answer] = fixtureSummary({
    subjects: [...SITES, 'e.example'],
    networks: [NONE],
    repetitions: 8,
    change: (load) => {
      if (load.repetition === 1) spoil(load, 'failed', 'timeout', 'late');
    },
  }).primary;
  assert.equal(answer?.pagesLikeThese?.nSites, 5);
  const { low, high } = answer.pagesLikeThese.ofOneMore;
  assert.ok(low > 0 && low < high && Number.isFinite(high));
  assert.equal(answerOf(oneSite(() => {})).pagesLikeThese, null);
});

/** A run that a rule stopped at block `made`, with looks after these blocks. */
function stopped(
  fixture: Fixture,
  made: number,
  looksAfter: readonly number[],
  end: StopReason | null,
  decided: LookRecord['decided'] = [],
) {
  fixture.run.stopping = STOPPING;
  const observations = fixture.observations.filter(({ block }) => block <= made);
  const orders = (block: number) =>
    observations.filter((load) => load.block <= block).map(({ order }) => order);
  const looks = looksAfter.map((block, index) => {
    const isLast = index === looksAfter.length - 1;
    const isWhole = isLast && end !== null && end !== 'decided';
    return madeLook({
      decided: isLast ? decided : [],
      order: Math.max(...orders(block)),
      elapsedMs: 10_000 * block,
      fraction: isWhole ? 1 : block / fixture.run.repetitions,
      end: isLast ? end : null,
    });
  });
  return summaryOf({ ...fixture, observations }, { looks });
}

test('reports the answers of the looks of a stopped run, and nothing missing that it did not begin', () => {
  const { primary, looks, progress, warnings, exclusions } = stopped(
    oneSite(() => {}, 60),
    6,
    [6],
    'decided',
  );
  assert.deepEqual(
    primary.map(({ verdict, nPairs, decidedAfterPairs }) => [verdict, nPairs, decidedAfterPairs]),
    [
      ['faster', 6, 6],
      ['slower', 6, 6],
    ],
  );
  assert.deepEqual(looks, { nLooks: 1, end: 'decided', elapsedMs: 60_000, budgetMs: 240_000 });
  assert.deepEqual([progress.complete, progress.plannedPageLoads], [true, 18]);
  assert.deepEqual(warnings, []);
  assert.deepEqual([exclusions.blocks.nPlanned, exclusions.blocks.nNotMade], [6, 0]);
});

test('decides a condition that continued at its last look, with the interval of that look', () => {
  const turning = oneSite((load) => {
    // From block 9 on lsquic takes three times as long.
    if (load.block > 8 && load.arm === 'lsquic-h3') load.metrics.pageLoadMs = 720;
  }, 40);
  const [answer] = stopped(turning, 40, [8, 40], 'repetitions').primary;
  assert.deepEqual(
    [answer?.verdict, answer?.decidedAfterPairs, answer?.nPairs],
    ['slower', 40, 40],
  );
  assert.ok((answer?.ratio?.low ?? 0) > 1);
});

test('notes that estimates exaggerate if loads ended before the budget', () => {
  const decided = [{ network: 'none', variant: 'cold' }];
  const notesOf = (end: StopReason, fixture = oneSite(() => {}, 60)) =>
    stopped(fixture, 12, [12], end, decided).primary.map(({ notes }) => notes.join(' '));
  for (const notes of notesOf('decided')) assert.match(notes, /ended before the budget/);
  for (const notes of notesOf('budget')) assert.doesNotMatch(notes, /ended before the budget/);
});

test('widens intervals with each look at the same loads', () => {
  const unclear = () =>
    oneSite((load) => {
      load.metrics.pageLoadMs = 300 + ((load.order * 7919) % 100);
    }, 24);
  const [once] = stopped(unclear(), 24, [24], 'budget').primary;
  const [often] = stopped(unclear(), 24, [6, 12, 18, 24], 'budget').primary;
  assert.deepEqual([once?.level.toFixed(6), once?.decidedAfterPairs], ['0.025000', null]);
  assert.ok((often?.level ?? 1) < 0.02);
  assert.equal(often?.ratio?.estimate, once?.ratio?.estimate);
  assert.ok((often?.ratio?.high ?? 0) > (once?.ratio?.high ?? 9));
  assert.ok((often?.ratio?.low ?? 9) < (once?.ratio?.low ?? 0));
});

test('calls a run complete that its budget ended early, and reports what is decided', () => {
  const fixture = oneSite((load) => {
    if (load.arm === 'lsquic-h3') load.metrics.pageLoadMs = 250 + ((load.order * 7919) % 100);
  }, 60);
  const { primary, looks, progress } = stopped(fixture, 12, [6, 12], 'budget');
  assert.deepEqual(
    primary.map(({ decidedAfterPairs }) => decidedAfterPairs),
    [null, 12],
  );
  assert.deepEqual([looks?.nLooks, looks?.end, progress.complete], [2, 'budget', true]);
});

test('reports for one site with one pair the measured values and the possible conclusion', (t) => {
  for (const [looksAfter, end] of [
    [[1], 'budget'],
    [[], null],
  ] as const) {
    const summary = stopped(
      oneSite(() => {}, 60),
      1,
      looksAfter,
      end,
    );
    const { primary, comparisons, rows } = summary;
    const [answer] = primary;
    assert.deepEqual(
      [answer?.verdict, answer?.nPairs, answer?.decidedAfterPairs],
      ['undecided', 1, null],
    );
    assert.ok((answer?.ratio?.estimate ?? 0) > 0);
    approve(t, 'one-pair', [
      ...sentencesOf(summary, primary.slice(0, 1)),
      comparisons[0] ? reasonText(comparisons[0], METRIC, PAGES) : '',
    ]);
    assert.ok(rows.every(({ n }) => n === 1));
  }
});

test('gives an interrupted run a last look at all of its loads, and reports that it would continue', () => {
  const fixture = () => oneSite(() => {}, 60);
  const { primary, looks, progress, warnings } = stopped(fixture(), 8, [], null);
  assert.deepEqual(
    primary.map(({ decidedAfterPairs }) => decidedAfterPairs),
    [8, 8],
  );
  assert.deepEqual(looks, { nLooks: 0, end: null, elapsedMs: 0, budgetMs: 240_000 });
  assert.equal(progress.complete, false);
  assert.deepEqual(warnings, [
    'The run ended early: 24 loads and 3 warm-ups were made, and it would have gone on.',
  ]);
  // Its report is a look that spends no more than a run of this length may.
  const [share] = nominalLevels(0.025, [{ fraction: 8 / 60, information: 8 }]);
  assert.ok(Math.abs((primary[0]?.level ?? 0) - (share ?? 0)) < 1e-12);
  const [after] = stopped(fixture(), 8, [6], null).primary;
  assert.equal(after?.decidedAfterPairs, 8);
  assert.ok((after?.level ?? 1) < (share ?? 0), 'the look before is paid for');
});

test('has no numbers for a site that neither arm ever loaded, however alike the failures are', (t) => {
  const [found] = fixtureSummary({
    ...ONE_SITE,
    repetitions: 8,
    change: (load) => spoil(load, 'failed', 'timeout', 'No load event within 3 s.'),
  }).comparisons;
  assert.deepEqual([found?.nPairs, found?.verdict], [8, 'undecided']);
  assert.deepEqual([found?.ratio, found?.difference, found?.lowerInPercent], [null, null, null]);
  approve(t, 'no-ratio', [found ? reasonText(found, METRIC, PAGES) : '']);
});

test('names in the answer the only one of several sites that ever loaded', (t) => {
  const summary = fixtureSummary({
    subjects: SITES,
    networks: [NONE],
    repetitions: 8,
    change: (load) => {
      if (load.subject !== 'a.example')
        spoil(load, 'failed', 'timeout', 'No load event within 3 s.');
    },
  });
  approve(t, 'one-site-left', sentencesOf(summary, summary.primary.slice(0, 1)));
});

test('does not generalize from a site that neither arm ever loaded', (t) => {
  const summary = fixtureSummary({
    subjects: SITES,
    networks: [NONE],
    repetitions: 8,
    change: (load) => {
      load.metrics.pageLoadMs = load.arm === 'lsquic-h3' ? 100 + (load.repetition % 3) : 200;
      const isDead = load.subject === 'd.example' && load.arm !== 'flask-h1';
      if (isDead) spoil(load, 'failed', 'navigation-failed', 'refused');
    },
  });
  const [answer, other] = summary.primary;
  assert.deepEqual([answer?.nSites, answer?.nPairs, answer?.verdict], [3, 24, 'faster']);
  assert.deepEqual(answer?.nFailed, { arm: 0, baseline: 0 });
  approve(t, 'dead-site', sentencesOf(summary, summary.primary.slice(0, 2)));
  assert.deepEqual([other?.nSites, other?.nFailed], [4, { arm: 0, baseline: 8 }]);
});
