import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PageLoad } from '../../../../experiments/page-load/details.ts';
import { DamagedRunError } from '../../../../ground/records/damaged-run.ts';
import { schemaCheck } from '../../../../ground/records/schema-check.ts';
import { AnalysisChoiceError } from '../../../../report/summary/analysis.ts';
import { type MixAnswer, mixAnswerSchema } from '../../../../report/summary/mix.ts';
import { summaryTable } from '../../../../report/terminal.ts';
import { mixText } from '../../../../report/text/mix.ts';
import { approve } from '../../approve.ts';
import { closed } from '../../closed-schema.ts';
import { delays } from '../../made-run.ts';
import { assertClose } from '../../statistics/golden.ts';
import { type Fixture, fixtureRun, spoil } from '../fixture-run.ts';
import { cellsOf, documentOf, summaryOf } from '../reported.ts';

const MIX = { '30ms': 70, '60ms': 30 };

/** Bun takes 1,000 ms; `change` gives the time of lsquic from its network and block. */
function timedRun(
  timeOf: (load: PageLoad) => number,
  { subjects = ['a.example'], repetitions = 20, change }: Parameters<typeof fixtureRun>[0] = {},
): Fixture {
  const made = fixtureRun({
    subjects,
    networks: delays(30, 60),
    repetitions,
    pageLoadMs: (load) => (load.arm === 'lsquic-h3' ? timeOf(load) : 1000),
    ...(change && { change }),
  });
  made.run.analysis.mix = { ...MIX };
  return made;
}

const onFirst = ({ network }: PageLoad) => network.name === '30ms';

function failingRun(fails: (load: PageLoad) => boolean): Fixture {
  return timedRun(() => 900, {
    change: (load) => {
      if (fails(load)) spoil(load, 'failed', 'timeout', 'No load event within 30 s.');
    },
  });
}

function answerOf(made: Fixture, options: Parameters<typeof summaryOf>[1] = {}): MixAnswer {
  const found = summaryOf(made, options).mix.find(({ arm }) => arm === 'lsquic-h3');
  assert.ok(found);
  return found;
}

test('networks count by their shares, and pages of a network alike', () => {
  const made = timedRun(
    (load) => 1000 + (onFirst(load) ? -100 : 50) * (load.subject === 'a.example' ? 1 : 3),
    { subjects: ['a.example', 'b.example'] },
  );
  const { differenceMs, conditions, baselineMs, lackingPercent } = answerOf(made);
  assertClose(differenceMs?.estimate, 0.7 * -200 + 0.3 * 100);
  assertClose(baselineMs, 1000);
  assert.equal(lackingPercent, 0);
  assert.deepEqual(
    conditions.map(({ network, sharePercent, nPairs, differenceMs: own }) => [
      network,
      Math.round(sharePercent),
      nPairs,
      Math.round(own?.estimate ?? Number.NaN),
    ]),
    [
      ['30ms', 70, 40, -200],
      ['60ms', 30, 40, 100],
    ],
  );
});

test('quantiles are those of the visits, each network with its share', () => {
  // Over 60 ms every fifth visit loses 300 ms: 6 % of all visits. Over 30 ms a tenth saves 500 ms: 7 %.
  const made = timedRun((load) => {
    if (onFirst(load)) return load.block % 10 === 0 ? 500 : 960;
    return load.block % 5 === 0 ? 1300 : 990;
  });
  const { bestTenthMs, losing } = answerOf(made);
  assertClose(bestTenthMs, -40);
  assertClose(losing?.sharePercent, 6);
  assert.deepEqual([losing?.aboveMs, losing?.medianMs], [50, 300]);
});

test('a small page loses above 10 ms, however small the margin', () => {
  const made = fixtureRun({
    subjects: ['a.example'],
    networks: delays(30, 60),
    repetitions: 8,
    pageLoadMs: ({ arm, block }) => (arm === 'lsquic-h3' && block % 2 === 0 ? 111 : 100),
  });
  made.run.analysis.mix = { ...MIX };
  const { losing } = answerOf(made);
  assert.deepEqual([losing?.aboveMs, Math.round(losing?.sharePercent ?? 0)], [10, 50]);
});

test('the verdict is that of the interval', () => {
  const of = (changeMs: number) =>
    answerOf(timedRun(({ block }) => 1000 + changeMs + (block % 2) * 10)).verdict;
  assert.deepEqual([of(-100), of(100), of(0)], ['faster', 'slower', 'same']);
  const wide = timedRun(({ block }) => 1000 + (block % 2 === 0 ? 400 : -380));
  assert.equal(answerOf(wide).verdict, 'undecided');
});

test('pairs with a failed load are missing, and with more than 5 % of visits missing there is no answer', () => {
  const failing = (blocks: number) =>
    failingRun(
      (load) => load.arm === 'lsquic-h3' && onFirst(load) && !load.warmup && load.block <= blocks,
    );
  const one = answerOf(failing(1));
  assertClose(one.lackingPercent, 3.5);
  assertClose(one.differenceMs?.estimate, -100);
  const two = answerOf(failing(2));
  assertClose(two.lackingPercent, 7);
  assert.deepEqual([two.differenceMs, two.losing, two.verdict], [null, null, 'undecided']);
  assert.equal(two.conditions[0]?.nLacking, 2);
});

test('few pairs have a mean and no interval', () => {
  const { differenceMs, verdict } = answerOf(timedRun(() => 900, { repetitions: 5 }));
  assert.deepEqual(
    [differenceMs, verdict],
    [{ estimate: -100, low: null, high: null }, 'undecided'],
  );
});

test('a mix chosen after the run is marked, and must fit the run', () => {
  const made = timedRun((load) => (onFirst(load) ? 900 : 1000));
  assert.equal(answerOf(made).isChosenAfterRun, false);
  const chosen = answerOf(made, { choice: { mix: { '30ms': 20, '60ms': 80 } } });
  assert.equal(chosen.isChosenAfterRun, true);
  assertClose(chosen.differenceMs?.estimate, -20);
  const refused = (mix: Record<string, number>, message: RegExp) =>
    assert.throws(
      () => summaryOf(made, { choice: { mix } }),
      (error) => error instanceof AnalysisChoiceError && message.test(error.message),
    );
  refused({ '30ms': 50, '60ms': 40 }, /sum to 90 %, expected 100 %/);
  refused({ '30ms': 100 }, /lacks 60ms/);
  refused({ '30ms': 50, dsl: 50 }, /has dsl, expected the networks of the run: 30ms, 60ms/);
  made.run.analysis.mix = { '30ms': 100 };
  assert.throws(() => summaryOf(made), DamagedRunError);
});

test('shares may be rounded, and a run without a mix has no answer', () => {
  const made = timedRun(() => 900);
  made.run.analysis.mix = { '30ms': 66.6, '60ms': 33.3 };
  const { conditions } = answerOf(made);
  assertClose(
    conditions.reduce((sum, { sharePercent }) => sum + sharePercent, 0),
    100,
  );
  assert.deepEqual(summaryOf(fixtureRun()).mix, []);
});

test('the answer is written in sentences', async (t) => {
  const runs = {
    gain: timedRun(({ block }) => 900 + (block % 4) * 20),
    loss: timedRun(({ block }) => 1100 + (block % 4) * 20),
    same: timedRun(({ block }) => 998 + (block % 4) * 2),
    undecided: timedRun(({ block }) => 1000 + (block % 2 === 0 ? 400 : -380)),
    few: timedRun(() => 900, { repetitions: 5 }),
    one: failingRun(({ arm, block }) => arm === 'bun-h2' && block === 3),
    many: failingRun(({ arm, block }) => arm === 'bun-h2' && block > 3),
  };
  const texts = Object.entries(runs).flatMap(([name, made]) => {
    const summary = summaryOf(made);
    return [`${name}:`, ...summary.mix.map((answer) => mixText(answer, summary))];
  });
  approve(t, 'mix', texts);
  const summary = summaryOf(runs.gain, { choice: { mix: { '30ms': 50, '60ms': 50 } } });
  assert.match(summaryTable(summary), /Shares of visits, chosen after the run: /);
});

test('the page has the shares, pairs and differences of the networks; the summary fits its schema', async () => {
  const made = timedRun((load) => (onFirst(load) ? 900 : 1000) + (load.block % 2) * 20);
  const problemOf = schemaCheck(closed(mixAnswerSchema));
  assert.deepEqual(summaryOf(made).mix.map(problemOf), [null, null]);
  const page = await documentOf(made);
  const rows = cellsOf(page.querySelector('.advice'));
  assert.deepEqual(
    rows.map(([network, share, pairs]) => [network, share, pairs]),
    [
      ['30ms', '70 %', '20'],
      ['60ms', '30 %', '20'],
    ],
  );
  assert.match(rows[0]?.[3] ?? '', /^−90−\d+ to −\d+$/);
});
