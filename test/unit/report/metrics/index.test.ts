import assert from 'node:assert/strict';
import { test } from 'node:test';
import { METRICS } from '../../../../report/metrics/index.ts';
import { fixtureRun } from '../fixture-run.ts';

test('each metric takes the timing that it is named after', () => {
  const [load] = fixtureRun().pageLoads;
  assert.ok(load);
  for (const metric of METRICS) assert.equal(metric.of(load), load.timingsMs[metric.name]);
});

test('a load without a timing gives null, not zero', () => {
  const [load] = fixtureRun().pageLoads;
  assert.ok(load);
  for (const metric of METRICS) {
    load.timingsMs[metric.name] = null;
    assert.equal(metric.of(load), null);
  }
});

test('names and columns are unique and everything is documented', () => {
  assert.deepEqual(
    METRICS.map(({ name, column }) => [name, column]),
    [
      ['pageLoad', 'plt'],
      ['documentTime', 'document'],
      ['firstByte', 'ttfb'],
    ],
  );
  for (const { definition, source, label } of METRICS) assert.ok(definition && source && label);
});
