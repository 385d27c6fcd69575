import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Metric, metricNamed, numberOf } from '../../../../ground/experiment.ts';
import { UNITS } from '../../../../ground/unit.ts';
import { fixtureRun, spoil } from '../../../../test/unit/report/fixture-run.ts';
import type { PageLoad } from '../../details.ts';
import { pageLoad } from '../../experiment.ts';

const TIMES = [
  'pageLoadMs',
  'documentMs',
  'firstByteMs',
  'connectMs',
  'domContentLoadedMs',
  'firstContentfulPaintMs',
  'largestContentfulPaintMs',
  'lastByteMs',
];

const COUNTS = ['wireBytes', 'requests', 'connections', 'peakConcurrentRequests'];

function load(): PageLoad {
  const [first] = fixtureRun().observations;
  assert.ok(first?.details?.traffic);
  return first;
}

const metric = (name: string): Metric => metricNamed(pageLoad, name);

test('takes the number that each metric is named after, and explains a missing one', () => {
  const one = load();
  for (const [index, { name }] of pageLoad.metrics.entries()) {
    one.metrics[name] = index + 1;
    assert.equal(numberOf(one, metric(name)), index + 1);
    one.metrics[name] = 0;
    assert.equal(numberOf(one, metric(name)), 0, 'zero is a value');
    one.metrics[name] = null;
    assert.equal(numberOf(one, metric(name)), null);
    assert.match(metric(name).missing(one), /^(the|no) /);
    delete one.metrics[name];
    assert.equal(numberOf(one, metric(name)), null, 'the record lacks it');
  }
  assert.equal(metric('firstContentfulPaintMs').missing(one), 'the page painted nothing');
  assert.equal(metric('connectionsPerOrigin').missing(one), 'no response came over a connection');
  assert.equal(metric('wireBytes').missing(one), 'the HAR lacks a size');
});

test('has each metric of page loads in a made-up load, and no other', () => {
  assert.deepEqual(
    Object.keys(load().metrics).sort(),
    pageLoad.metrics.map(({ name }) => name).sort(),
  );
});

test('has no time for a failed load because it failed', () => {
  const one = load();
  spoil(one, 'failed', 'timeout', 'late');
  for (const name of TIMES) {
    assert.equal(numberOf(one, metric(name)), null);
    assert.equal(metric(name).missing(one), 'the load failed');
  }
});

test('is missing, and not zero, for counts without a HAR', () => {
  const one = load();
  spoil(one, 'failed', 'timeout', 'late');
  for (const name of [...COUNTS, 'connectionsPerOrigin']) {
    assert.equal(numberOf(one, metric(name)), null);
    assert.equal(metric(name).missing(one), 'the load has no HAR');
  }
});

test('compares times with failures as the worst, and never decides verdicts by counts', () => {
  for (const name of TIMES) {
    const { unit, better, failed } = metric(name);
    assert.deepEqual([unit, better, failed], ['ms', 'lower', 'worst'], name);
  }
  for (const name of [...COUNTS, 'connectionsPerOrigin']) {
    const { better, failed } = metric(name);
    assert.deepEqual([better, failed], [null, 'absent'], name);
  }
});

test('has unique names, words and columns, documents everything, and lists page load time first', () => {
  const { metrics } = pageLoad;
  assert.equal(metrics[0]?.name, 'pageLoadMs');
  for (const field of ['name', 'word', 'column', 'label', 'definition'] as const) {
    assert.equal(new Set(metrics.map((each) => each[field])).size, metrics.length, field);
  }
  for (const { definition, source, label } of metrics) assert.ok(definition && source && label);
  assert.throws(() => metricNamed(pageLoad, 'pageLoad'), /page-load has no metric pageLoad/);
});

test("ends a metric's name with its unit, and a count's with none", () => {
  const endings = Object.entries(UNITS).filter(([, { ending }]) => ending !== '');
  for (const { name, unit } of pageLoad.metrics) {
    const found = endings.find(([, { ending }]) => name.endsWith(ending));
    assert.equal(found?.[0] ?? 'count', unit, name);
  }
});
