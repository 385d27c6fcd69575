import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allExperiments } from '../../../../experiments/index.ts';
import type { PageLoad } from '../../../../experiments/page-load/details.ts';
import { secondaryMetricsOf, verdictMetrics } from '../../../../ground/experiment.ts';
import type { LookRecord } from '../../../../ground/records/look.ts';
import { findingsOfRun } from '../../../../report/findings/findings.ts';
import { reportPage } from '../../../../report/sections/index.ts';
import { summaryCsv } from '../../../../report/summary/csv.ts';
import { secondaryTo } from '../../../../report/summary/secondary.ts';
import { summarise } from '../../../../report/summary/summary.ts';
import { summaryTable } from '../../../../report/terminal.ts';
import { secondaryText } from '../../../../report/text/answers.ts';
import { nominalLevels } from '../../../../statistics/group-sequential.ts';
import { approve } from '../../approve.ts';
import { madeLook, STOPPING } from '../../made-run.ts';
import { DELAYED, type Fixture, fixtureRun, NONE } from '../fixture-run.ts';
import { summaryOf } from '../reported.ts';

const close = (actual: number | undefined, expected: number) =>
  assert.ok(Math.abs((actual ?? Number.NaN) - expected) < 1e-9, `${actual}, not ${expected}`);

/** By page load time all are alike; lsquic paints first in half the time, and last in twice the time. */
function paintedRun(change: (load: PageLoad) => void = () => {}, repetitions = 12): Fixture {
  return fixtureRun({
    subjects: ['a.example', 'b.example'],
    networks: [NONE, DELAYED],
    repetitions,
    change: (load) => {
      const noise = 1 + 0.01 * Math.sin(load.order * 78.233);
      const factor = load.arm === 'lsquic-h3' ? 2 : 1;
      load.metrics.pageLoadMs = 300 * noise;
      load.metrics.firstContentfulPaintMs = (100 * noise) / factor;
      load.metrics.largestContentfulPaintMs = 200 * noise * factor;
      change(load);
    },
  });
}

/** The summary of a run with every output written, which must not throw. */
async function everything(made: Fixture) {
  const summary = summaryOf(made);
  return {
    summary,
    page: await reportPage(made.run, summary, made.observations),
    table: summaryTable(summary),
    csv: summaryCsv(summary),
    findings: findingsOfRun(summary, null, 'report.html'),
  };
}

test('answers every question of a run by first and by largest contentful paint', async (t) => {
  const { summary, page, table, csv, findings } = await everything(paintedRun());
  const { primary, secondary } = summary;
  assert.equal(secondary.length, 2 * primary.length);
  const [first] = primary;
  assert.ok(first);
  assert.equal(first.verdict, 'same');
  const [fcp, lcp] = secondaryTo(first, summary);
  assert.deepEqual(
    [fcp?.metric, lcp?.metric],
    ['firstContentfulPaintMs', 'largestContentfulPaintMs'],
  );
  assert.deepEqual([fcp?.verdict, lcp?.verdict], ['faster', 'slower']);
  assert.ok(Math.abs((fcp?.ratio?.estimate ?? 0) - 0.5) < 0.02);
  assert.deepEqual(
    Object.values(fcp?.medians ?? {}).map((each) => Math.round(each ?? 0)),
    [50, 100],
  );
  approve(
    t,
    'answers',
    [fcp, lcp].map((each) => (each ? secondaryText(each, summary) : '')),
  );
  for (const text of [page, table, findings.answers[0]?.sentence ?? '']) {
    assert.match(text, /[Ff]irst contentful paint/);
    assert.match(text, /[Ll]argest contentful paint/);
  }
  const [head = '', row = ''] = csv.split('\n');
  const cell = (name: string) => row.split(',')[head.split(',').indexOf(name)];
  assert.deepEqual([cell('fcp_answer'), cell('lcp_answer')], ['faster', 'slower']);
});

test('gives both families 5 % each, shared equally within each of them', () => {
  const { primary, secondary } = summaryOf(paintedRun());
  for (const { level } of primary) close(level, 0.05 / 4);
  for (const { level } of secondary) close(level, 0.05 / 8);
});

test('does not decide the metric of the verdicts twice, whichever it is', async () => {
  for (const experiment of Object.values(allExperiments())) {
    const planned = experiment.secondaryMetrics ?? [];
    assert.equal(planned.length, experiment.name === 'page-load' ? 2 : 0);
    for (const metric of verdictMetrics(experiment)) {
      const names = secondaryMetricsOf(experiment, metric).map(({ name }) => name);
      assert.deepEqual(
        names,
        planned.filter((name) => name !== metric.name),
      );
    }
  }
  const fixture = paintedRun();
  fixture.run.analysis.metric = 'firstContentfulPaintMs';
  const { summary } = await everything(fixture);
  assert.deepEqual(
    [...new Set(summary.secondary.map(({ metric }) => metric))],
    ['largestContentfulPaintMs'],
  );
});

test('reports pages without any contentful paint, and answers page load times', async (t) => {
  const { summary, page, table, csv } = await everything(
    paintedRun(({ metrics }) => {
      metrics.firstContentfulPaintMs = null;
      metrics.largestContentfulPaintMs = null;
    }),
  );
  assert.deepEqual([...new Set(summary.primary.map(({ verdict }) => verdict))], ['same']);
  for (const { verdict, nPairs, nWithout } of summary.secondary) {
    assert.deepEqual([verdict, nPairs], ['undecided', 0]);
    assert.deepEqual(nWithout, { arm: 24, baseline: 24 });
  }
  const [first] = summary.secondary;
  approve(t, 'no-paint', first ? [secondaryText(first, summary), ...first.notes] : []);
  for (const text of [page, table]) assert.match(text, /the page painted nothing/);
  const cells = csv.split('\n').map((line) => line.split(','));
  const at = cells[0]?.indexOf('fcp_answer') ?? -1;
  assert.equal(cells[1]?.[at], 'undecided');
});

test('excludes one page without a paint by name, and answers the rest', async (t) => {
  const { summary } = await everything(
    paintedRun((load) => {
      if (load.subject === 'a.example') load.metrics.firstContentfulPaintMs = null;
    }),
  );
  const [fcp] = summary.secondary;
  assert.deepEqual(
    [fcp?.verdict, fcp?.nSites, fcp?.nPairs, fcp?.excludedSites],
    ['faster', 1, 12, ['a.example']],
  );
  approve(t, 'page-left-out', fcp?.notes ?? []);
});

test('reports a stack that paints less often than its baseline', async (t) => {
  const notesWith = async (last: number) => {
    const { summary } = await everything(
      paintedRun((load) => {
        const isWithout = load.arm === 'lsquic-h3' && load.repetition <= last;
        if (isWithout) load.metrics.firstContentfulPaintMs = null;
      }),
    );
    return summary.secondary[0]?.notes.join() ?? '';
  };
  assert.equal(await notesWith(0), '');
  approve(t, 'paints-less-often', [await notesWith(1), await notesWith(4)]);
});

const look = (order: number, fraction: number, of: Partial<LookRecord> = {}) =>
  madeLook({ order, fraction, ...of });

test('keeps the level of the look that decided a condition early, without more from later looks', () => {
  const { run, observations } = paintedRun();
  run.stopping = STOPPING;
  const made = observations
    .filter(({ network, repetition }) => network.name !== NONE.name || repetition <= 6)
    .toSorted((a, b) => a.repetition - b.repetition)
    .map((load, index) => ({ ...load, order: index + 1 }));
  const half = made.filter(({ repetition }) => repetition <= 6).length;
  const decided = [{ network: NONE.name, variant: 'cold' }];
  const looks = [
    look(half, 0.5, { decided }),
    look(made.length, 1, { decided, end: 'repetitions' }),
  ];
  const { secondary } = summarise(run, made, [], { looks });
  const alpha = 0.05 / 8;
  const early = nominalLevels(alpha, [{ fraction: 0.5, information: 12 }]);
  const late = nominalLevels(alpha, [
    { fraction: 0.5, information: 12 },
    { fraction: 1, information: 24 },
  ]);
  for (const { network, level } of secondary) {
    close(level, network === NONE.name ? (early[0] ?? 0) : (late[1] ?? 0));
  }
  // Undecided conditions without new loads may spend the rest.
  const open = [look(half, 0.5), look(half, 1, { end: 'budget' })];
  const atHalf = made.filter(({ order }) => order <= half);
  for (const { level } of summarise(run, atHalf, [], { looks: open }).secondary)
    close(level, alpha);
});
