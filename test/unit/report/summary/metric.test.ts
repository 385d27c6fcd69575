import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verdictMetric } from '../../../../experiments/index.ts';
import { pageLoad } from '../../../../experiments/page-load/experiment.ts';
import { reportPage } from '../../../../report/sections/index.ts';
import { summaryCsv } from '../../../../report/summary/csv.ts';
import { type Summary, summarise } from '../../../../report/summary/summary.ts';
import { summaryTable } from '../../../../report/terminal.ts';
import { answerText } from '../../../../report/text/answers.ts';
import { reasonText } from '../../../../report/text/reason.ts';
import { type Fixture, fixtureRun } from '../fixture-run.ts';
import { summaryOf } from '../reported.ts';

/** By document time lsquic takes half of the baseline's, by page load time twice as long. */
function opposedRun(metric: 'pageLoadMs' | 'documentMs'): Fixture {
  const fixture = fixtureRun({
    subjects: ['a.example', 'b.example', 'c.example'],
    repetitions: 12,
    change: (load) => {
      const noise = 1 + 0.02 * Math.sin(load.order * 78.233);
      const isFast = load.arm === 'lsquic-h3';
      load.metrics.documentMs = (isFast ? 20 : 40) * noise + 2 * load.network.rttMs;
      load.metrics.pageLoadMs = (isFast ? 400 : 200) * noise + 2 * load.network.rttMs;
    },
  });
  fixture.run.analysis.metric = metric;
  return fixture;
}

const CONTROL = {
  arm: 'bun-h2-control',
  label: 'Bun (h2), control',
  protocol: 'h2',
  stack: 'bun-h2',
  client: 'chromium',
  controlOf: 'bun-h2',
} as const;

test('uses the metric of the plan for verdicts, primary answers, overview, sweeps and marked loads', () => {
  for (const [metric, verdict, ratio] of [
    ['documentMs', 'faster', 0.5],
    ['pageLoadMs', 'slower', 2],
  ] as const) {
    const { run, observations } = opposedRun(metric);
    const { comparisons, primary, overview, sweeps, rows, analysis } = summarise(run, observations);
    assert.equal(analysis.metric, metric);
    const one = comparisons.find(({ arm }) => arm === 'lsquic-h3');
    assert.equal(one?.verdict, verdict);
    const together = primary.find(({ arm }) => arm === 'lsquic-h3');
    assert.ok(Math.abs((together?.ratio?.estimate ?? 0) - ratio) < 0.1);
    const row = rows.find(({ arm, network }) => arm === 'lsquic-h3' && network.rttMs === 0);
    const median = overview[0]?.arms.find(({ arm }) => arm === 'lsquic-h3');
    assert.ok(
      Math.abs((median?.medianOfSiteMedians ?? 0) - (row?.metrics[metric]?.median ?? 0)) < 5,
    );
    const swept = sweeps[0]?.rows.find(({ arm }) => arm === 'lsquic-h3');
    assert.equal(swept?.medians[0], row?.metrics[metric]?.median);
    const shown = observations.find(({ id }) => id === row?.loads?.slowest);
    assert.equal(shown?.metrics[metric], row?.metrics[metric]?.maximum);
  }
});

test('lists a metric without verdicts among the other metrics, and not the decided one', () => {
  for (const [metric, other] of [
    ['documentMs', 'pageLoadMs'],
    ['pageLoadMs', 'documentMs'],
  ] as const) {
    const [one] = summaryOf(opposedRun(metric)).comparisons;
    assert.ok(one?.otherMetrics[other]);
    assert.equal(one.otherMetrics[metric], undefined);
  }
});

test('decides a control by the metric of the plan', () => {
  const { run, observations } = opposedRun('documentMs');
  run.arms.push(CONTROL);
  for (const trial of run.trials.filter(({ arm }) => arm === 'bun-h2')) {
    run.trials.push({ ...trial, arm: CONTROL.arm, id: `${trial.id}-control` });
  }
  for (const load of observations.filter(({ arm }) => arm === 'bun-h2')) {
    const again = structuredClone(load);
    again.metrics.documentMs = (load.metrics.documentMs ?? 0) * (1.5 + load.repetition / 100);
    const order = observations.length + 1;
    observations.push({ ...again, arm: CONTROL.arm, id: `${load.id}-control`, order });
  }
  const [control] = summarise(run, observations).controls;
  assert.equal(control?.nCalledDifferent, control?.nComparisons);
  run.analysis.metric = 'pageLoadMs';
  assert.equal(summarise(run, observations).controls[0]?.nCalledDifferent, 0);
});

test('names the time in texts wherever they mention one', async () => {
  const { run, observations } = opposedRun('documentMs');
  const summary = summarise(run, observations);
  const answersOf = (of: Summary) => of.primary.map((each) => answerText(each, of)).join(' ');
  assert.match(answersOf(summary), /faster than Bun \(h2\) in document time on these 3 pages/);
  const table = summaryTable(summary);
  assert.match(table, /a\.example .* faster +19\.\d ms +40\.\d ms\n/);
  assert.doesNotMatch(table, /page load time/i);
  const [head, first] = summaryCsv(summary).split('\n');
  assert.match(head ?? '', /,baseline,metric,/);
  assert.match(first ?? '', /,bun-h2,documentMs,.*,faster,/);
  const page = await reportPage(run, summary, observations);
  assert.match(page, /<h1>Document times of a\.example, b\.example and c\.example</);
  // Remaining mentions of page load time: what the metric is not, the list of metrics, the charts
  // of other metrics, and the components of one.
  const spoken = page
    .replaceAll(/<dl class="definitions">.*?<\/dl>/gs, '')
    .replaceAll(/<h3>How other metrics are spread.*?(?=<details class="folded part)/gs, '')
    .split('What a page load time is made of')[0]
    ?.match(/.{30}page load time.{30}/gi);
  assert.deepEqual(
    [...new Set(spoken)].filter(
      (text) => !/says nothing about the rest|Page load time, ms/.test(text),
    ),
    [],
  );
  run.analysis.metric = 'pageLoadMs';
  const usual = summarise(run, observations);
  assert.doesNotMatch(await reportPage(run, usual, observations), /Everything here is about/);
  assert.doesNotMatch(answersOf(usual), /document/);
});

test('marks a metric chosen after the run, with the planned one', () => {
  const choice = { metric: 'documentMs' };
  const { analysis, warnings, comparisons } = summaryOf(opposedRun('pageLoadMs'), { choice });
  assert.equal(analysis.chosenAfterTheRun, true);
  assert.equal(comparisons[0]?.verdict, 'faster');
  assert.match(
    warnings.join(),
    /Metric was chosen after the run: document time, where the plan had page load time\./,
  );
});

test('does not pair loads without the compared time', () => {
  const made = fixtureRun({ subjects: ['a.example'] });
  made.run.analysis.metric = 'documentMs';
  for (const load of made.observations) load.metrics.documentMs = null;
  const summary = summaryOf(made);
  const [comparison] = summary.comparisons;
  assert.ok(comparison);
  assert.equal(
    reasonText(comparison, verdictMetric(summary), { marginPercent: 5, experiment: pageLoad }),
    'No pair of loads has a document time.',
  );
});
