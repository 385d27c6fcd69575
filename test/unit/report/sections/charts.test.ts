import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signedValueText, valueText } from '../../../../kit/text/value.ts';
import { exampleDraws } from '../example-draws.ts';
import { DELAYED, type Fixture, fixtureRun, spoil } from '../fixture-run.ts';
import { cellsOf, documentOf, summaryOf } from '../reported.ts';

const SITES = ['a.example', 'b.example', 'c.example', 'd.example'];

/** The rows of the tables below the charts whose part has this heading, as texts of their cells. */
async function tablesOf(made: Fixture, heading: RegExp) {
  const document = await documentOf(made);
  const part = [...document.querySelectorAll('[aria-labelledby=charts] > details')].find((each) =>
    heading.test(each.querySelector('summary')?.textContent ?? ''),
  );
  assert.ok(part, `${heading}`);
  const tables = [...part.querySelectorAll('table')].map((table) => cellsOf(table));
  return { part, tables };
}

/** A run in which lsquic is faster the earlier the letter of a site, and fails at the last. */
function sitesApart(): Fixture {
  return fixtureRun({
    subjects: SITES.toReversed(),
    networks: [DELAYED],
    repetitions: 12,
    change: (load) => {
      const { pageLoadMs } = load.metrics;
      if (load.arm !== 'lsquic-h3' || load.warmup || !pageLoadMs) return;
      const place = SITES.indexOf(load.subject);
      load.metrics.pageLoadMs = pageLoadMs * (0.5 + 0.4 * place);
      if (place === SITES.length - 1) spoil(load, 'failed', 'timeout', 'No load event.');
    },
  });
}

test('draws each bar as the difference of the summary, from faster to slower, with a failed site as the slowest', async () => {
  const made = sitesApart();
  const { comparisons } = summaryOf(made);
  const { tables, part } = await tablesOf(made, /^Milliseconds saved or lost/);
  const [lsquic = []] = tables;
  assert.deepEqual(
    lsquic.map(([site = '']) => site.replace(/ generated$/, '')),
    SITES,
  );
  for (const [site = '', difference = '', verdict] of lsquic) {
    const found = comparisons.find(
      (each) => each.arm === 'lsquic-h3' && site.startsWith(each.subject),
    );
    assert.ok(found);
    assert.equal(verdict, found.verdict);
    const expected = found.difference ? signedValueText(found.difference.estimate, 'ms') : '–';
    assert.ok(difference.startsWith(expected), `${difference}, expected ${expected}`);
  }
  assert.deepEqual(lsquic.at(-1)?.slice(1, 3), ['–', 'slower']);
  assert.match(lsquic[0]?.[2] ?? '', /faster/);
  assert.equal(part.querySelectorAll('svg.chart rect').length, 3 + 4);
});

test('draws the highest rate first', async () => {
  const fixture = exampleDraws('drawnKbps', {
    subjects: ['slow.example', 'fast.example'],
    networks: [DELAYED],
    repetitions: 8,
    change: (load) => {
      if (load.arm === 'lsquic-h3' && load.subject === 'fast.example' && load.metrics.pageLoadMs)
        load.metrics.pageLoadMs *= 0.2;
    },
  });
  const { tables } = await tablesOf(fixture, /^Differences, .* by /);
  assert.match(tables[0]?.[0]?.[0] ?? '', /^fast\.example/);
});

test('counts failures in the lines of times: their share has no time', async () => {
  const fixture = sitesApart();
  const { tables, part } = await tablesOf(fixture, /^How page load times are spread/);
  assert.match(part.textContent ?? '', /with failures ends below 100 %/);
  const [, row = []] = tables[0] ?? [];
  // A quarter failed: 12 of 48.
  assert.deepEqual(row.slice(6), ['failed', 'failed', '48', '12']);
  const timesMs = fixture.observations
    .filter(({ arm, warmup, outcome }) => arm === 'lsquic-h3' && !warmup && outcome === 'ok')
    .map(({ metrics }) => metrics.pageLoadMs ?? Number.NaN)
    .sort((a, b) => a - b);
  assert.equal(timesMs.length, 36);
  for (const [cell, rank] of [
    [1, 1],
    [2, 5],
    [3, 12],
    [4, 24],
    [5, 36],
  ] as const) {
    assert.equal(row[cell], valueText(timesMs[rank - 1], 'ms'));
  }
  const clean = fixtureRun({ repetitions: 6 });
  assert.doesNotMatch(
    (await tablesOf(clean, /^How page load times are spread/)).part.textContent ?? '',
    /below 100 %/,
  );
});

test('draws a line per stack and points for every other metric, and points alone if all loads are equal', async () => {
  const fixture = fixtureRun({
    networks: [DELAYED],
    repetitions: 6,
    change: (load) => {
      load.metrics.connections = 3;
      load.metrics.completeMs = null;
    },
  });
  const { tables, part } = await tablesOf(fixture, /^How other metrics are spread/);
  const metrics = (tables[0] ?? []).filter((row) => row.length === 1).map(([label]) => label);
  assert.ok(
    metrics.includes('Time to first byte, ms, loads') && metrics.includes('Connections, loads'),
  );
  assert.ok(!metrics.some((label) => label?.startsWith('Page load time')));
  assert.ok(!metrics.some((label) => label?.startsWith('Time until the page was complete')));
  const labels = [...part.querySelectorAll('svg.chart')].map(
    (chart) => chart.getAttribute('aria-label') ?? '',
  );
  assert.equal(labels.filter((label) => /by Time to first byte,/.test(label)).length, 1);
  assert.ok(!labels.some((label) => /by Connections,/.test(label)));
  const at = metrics.indexOf('Connections, loads') * 4;
  assert.deepEqual(tables[0]?.[at + 1]?.slice(1), [...Array(7).fill('3'), '12']);
});
