import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportPage } from '../../../../report/html/page.ts';
import { summarise } from '../../../../report/summary.ts';
import { summaryCsv } from '../../../../report/summary-csv.ts';
import { summaryTable } from '../../../../report/text-table.ts';
import { DELAYED, type Fixture, fixtureRun, NONE } from '../fixture-run.ts';

/** By document time lsquic takes half of the baseline's, by page load time twice as long. */
function opposedRun(metric: 'pageLoad' | 'documentTime'): Fixture {
  const fixture = fixtureRun({
    sites: ['a.example', 'b.example', 'c.example'],
    repetitions: 12,
    change: (load) => {
      const noise = 1 + 0.02 * Math.sin(load.order * 78.233);
      const isFast = load.stack === 'lsquic-h3';
      load.timingsMs.documentTime = (isFast ? 20 : 40) * noise + 2 * load.network.rttMs;
      load.timingsMs.pageLoad = (isFast ? 400 : 200) * noise + 2 * load.network.rttMs;
    },
  });
  fixture.run.analysis.metric = metric;
  return fixture;
}

const CONTROL = {
  stack: 'bun-h2-control',
  label: 'Bun (h2), control',
  protocol: 'h2',
  controlOf: 'bun-h2',
} as const;

test('verdicts, primary answers, overview, sweeps and marked loads are about the metric of the plan', () => {
  for (const [metric, verdict, ratio] of [
    ['documentTime', 'faster', 0.5],
    ['pageLoad', 'slower', 2],
  ] as const) {
    const { run, pageLoads } = opposedRun(metric);
    const { comparisons, primary, overview, sweeps, rows, analysis } = summarise(run, pageLoads);
    assert.equal(analysis.metric, metric);
    const one = comparisons.find(({ stack }) => stack === 'lsquic-h3');
    assert.equal(one?.verdict, verdict);
    const together = primary.find(({ stack }) => stack === 'lsquic-h3');
    assert.ok(Math.abs((together?.ratio?.estimate ?? 0) - ratio) < 0.1);
    const row = rows.find(({ stack, network }) => stack === 'lsquic-h3' && network.rttMs === 0);
    const median = overview[0]?.stacks.find(({ stack }) => stack === 'lsquic-h3');
    assert.ok(
      Math.abs((median?.medianOfSiteMediansMs ?? 0) - (row?.metrics[metric].median ?? 0)) < 5,
    );
    const swept = sweeps[0]?.rows.find(({ stack }) => stack === 'lsquic-h3');
    assert.equal(swept?.mediansMs[0], row?.metrics[metric].median);
    const shown = pageLoads.find(({ id }) => id === row?.loads?.slowest);
    assert.equal(shown?.timingsMs[metric], row?.metrics[metric].maximum);
  }
});

test('the metric that verdicts are not about is among the other metrics, and theirs is not', () => {
  for (const [metric, other] of [
    ['documentTime', 'pageLoad'],
    ['pageLoad', 'documentTime'],
  ] as const) {
    const { run, pageLoads } = opposedRun(metric);
    const [one] = summarise(run, pageLoads).comparisons;
    assert.ok(one?.otherMetrics[other]);
    assert.equal(one.otherMetrics[metric], undefined);
  }
});

test('a control is judged by the metric of the plan', () => {
  const { run, pageLoads } = opposedRun('documentTime');
  run.stacks.push(CONTROL);
  for (const trial of run.trials.filter(({ stack }) => stack === 'bun-h2')) {
    run.trials.push({ ...trial, stack: CONTROL.stack, id: `${trial.id}-control` });
  }
  for (const load of pageLoads.filter(({ stack }) => stack === 'bun-h2')) {
    const again = structuredClone(load);
    again.timingsMs.documentTime =
      (load.timingsMs.documentTime ?? 0) * (1.5 + load.repetition / 100);
    const order = pageLoads.length + 1;
    pageLoads.push({ ...again, stack: CONTROL.stack, id: `${load.id}-control`, order });
  }
  const [control] = summarise(run, pageLoads).controls;
  assert.equal(control?.nCalledDifferent, control?.nComparisons);
  run.analysis.metric = 'pageLoad';
  assert.equal(summarise(run, pageLoads).controls[0]?.nCalledDifferent, 0);
});

test('texts say which time is meant wherever they speak of one', () => {
  const { run, pageLoads } = opposedRun('documentTime');
  const summary = summarise(run, pageLoads);
  assert.match(
    summary.primary[0]?.sentence ?? '',
    /faster than Bun \(h2\) in document time on these 3 pages/,
  );
  const table = summaryTable(summary);
  assert.match(table, /a\.example .* faster +19\.\d ms +40\.\d ms\n/);
  assert.doesNotMatch(table, /page load time/i);
  const [head, first] = summaryCsv(summary).split('\n');
  assert.match(head ?? '', /,verdict,metric,/);
  assert.match(first ?? '', /,faster,documentTime,/);
  const page = reportPage(run, summary, pageLoads);
  assert.match(page, /<h1>Document times of 3 sites/);
  // What may still speak of page load time: what the metric is not, the list of metrics, and what one is made of.
  const spoken = page
    .replaceAll(/<dl class="definitions">.*?<\/dl>/gs, '')
    .split('What a page load time is made of')[0]
    ?.match(/.{30}page load time.{30}/gi);
  assert.deepEqual(
    [...new Set(spoken)].filter(
      (text) => !/says nothing about the rest|Page load time, ms/.test(text),
    ),
    [],
  );
  run.analysis.metric = 'pageLoad';
  const usual = summarise(run, pageLoads);
  assert.doesNotMatch(reportPage(run, usual, pageLoads), /Everything here is about/);
  assert.doesNotMatch(usual.primary.map(({ sentence }) => sentence).join(), /document/);
});

test('a metric chosen after the run is said to be, with the planned one', () => {
  const { run, pageLoads } = opposedRun('pageLoad');
  const { analysis, warnings, comparisons } = summarise(run, pageLoads, [], {
    choice: { metric: 'documentTime' },
  });
  assert.equal(analysis.chosenAfterTheRun, true);
  assert.equal(comparisons[0]?.verdict, 'faster');
  assert.match(
    warnings.join(),
    /Baseline, margin and metric were chosen after the run: bun-h2, 5 % and document time, where the plan had bun-h2, 5 % and page load time/,
  );
});

test('loads without the time that is compared are no pairs', () => {
  const { run, pageLoads } = fixtureRun({ sites: ['a.example'], networks: [NONE, DELAYED] });
  run.analysis.metric = 'documentTime';
  for (const load of pageLoads) load.timingsMs.documentTime = null;
  const { comparisons } = summarise(run, pageLoads);
  assert.equal(comparisons[0]?.reason, 'No pair of loads has a document time.');
});
