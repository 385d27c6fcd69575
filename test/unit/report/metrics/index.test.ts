import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Observation } from '../../../../records/observation.ts';
import { METRICS } from '../../../../report/metrics/index.ts';
import type { MetricName } from '../../../../report/metrics/metric.ts';
import { fixtureRun, spoil } from '../fixture-run.ts';

function load(): Observation {
  const [first] = fixtureRun().observations;
  assert.ok(first?.traffic);
  return first;
}

function metric(name: MetricName) {
  const found = METRICS.find((each) => each.name === name);
  assert.ok(found, name);
  return found;
}

test('each metric of a timing takes the timing that it is named after, and says why one is missing', () => {
  const one = load();
  for (const name of Object.keys(one.timingsMs) as (keyof Observation['timingsMs'])[]) {
    one.timingsMs[name] = name.length;
    assert.deepEqual(metric(name).of(one), { value: name.length, reason: null });
    one.timingsMs[name] = 0;
    assert.equal(metric(name).of(one).value, 0, 'zero is a value');
    one.timingsMs[name] = null;
    const { value, reason } = metric(name).of(one);
    assert.equal(value, null);
    assert.match(reason ?? '', /^the /);
  }
  assert.equal(metric('firstContentfulPaint').of(one).reason, 'the page painted nothing');
});

test('a failed load has no timing because it failed', () => {
  const one = load();
  spoil(one, 'failed', 'timeout', 'late');
  assert.deepEqual(metric('pageLoad').of(one), { value: null, reason: 'the load failed' });
});

test('what is counted from the HAR is missing, and not zero, without one', () => {
  const names: MetricName[] = ['wireBytes', 'requests', 'connections', 'peakConcurrentRequests'];
  const one = load();
  assert.ok(one.traffic);
  Object.assign(one.traffic, { wireBytes: 11, requests: 12, connections: 13 });
  one.traffic.peakConcurrentRequests = 14;
  assert.deepEqual(
    names.map((name) => metric(name).of(one).value),
    [11, 12, 13, 14],
  );
  one.traffic.wireBytes = null;
  assert.deepEqual(metric('wireBytes').of(one), { value: null, reason: 'the HAR lacks a size' });
  one.traffic = null;
  for (const name of names) {
    assert.deepEqual(metric(name).of(one), { value: null, reason: 'the load has no HAR' });
  }
});

test('connections per origin are the mean over the hosts of the connections that served each', () => {
  const one = load();
  assert.ok(one.traffic);
  one.traffic.connectionsByHost = { 'a.example': 6, 'b.example': 1, 'c.example': 1 };
  assert.equal(metric('connectionsPerOrigin').of(one).value, 8 / 3);
  one.traffic.connectionsByHost = {};
  assert.deepEqual(metric('connectionsPerOrigin').of(one), {
    value: null,
    reason: 'no response came over a connection',
  });
  one.traffic = null;
  assert.equal(metric('connectionsPerOrigin').of(one).reason, 'the load has no HAR');
});

test('names and columns are unique, everything is documented, and page load time comes first', () => {
  assert.equal(METRICS[0]?.name, 'pageLoad');
  for (const field of ['name', 'column', 'label', 'definition'] as const) {
    assert.equal(new Set(METRICS.map((each) => each[field])).size, METRICS.length, field);
  }
  for (const { definition, source, label } of METRICS) assert.ok(definition && source && label);
});
