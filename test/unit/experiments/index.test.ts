import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  allExperiments,
  experimentOf,
  unusualIn,
  valueName,
  variantName,
  variantPhrase,
  variantText,
  verdictMetric,
} from '../../../experiments/index.ts';
import { measuringOf } from '../../../experiments/measuring-of.ts';
import { DamagedRunError } from '../../../ground/records/damaged-run.ts';

const damage = (message: RegExp) => (error: Error) =>
  error instanceof DamagedRunError && message.test(error.message);

test('finds experiments by name, and rejects unknown names with the known ones', () => {
  for (const experiment of allExperiments()) {
    assert.equal(experimentOf({ experiment: experiment.name }), experiment);
  }
  assert.throws(() => experimentOf({ experiment: 'dns' }), damage(/experiment dns, .*page-load/));
});

test('gives every measuring experiment a first metric that can decide verdicts', async () => {
  for (const experiment of allExperiments()) {
    assert.equal(typeof (await measuringOf(experiment)).open, 'function');
    assert.notEqual(experiment.metrics[0]?.better, null, experiment.name);
  }
});

test('decides verdicts by a metric with a known better direction', () => {
  const metricOf = (metric: string) =>
    verdictMetric({ experiment: 'page-load', analysis: { metric } });
  assert.equal(metricOf('documentMs').name, 'documentMs');
  for (const metric of ['documentTime', 'requests']) {
    assert.throws(
      () => metricOf(metric),
      damage(
        new RegExp(
          `analysis\\.metric is ${metric}, expected one of pageLoadMs, completeMs, documentMs`,
        ),
      ),
    );
  }
});

test('names every value of a factor except the default', () => {
  for (const { factors } of allExperiments()) {
    for (const values of Object.values(factors)) {
      const [usual = '', ...rest] = Object.keys(values);
      assert.deepEqual(
        [variantText(usual), variantName(usual), variantPhrase(usual)],
        ['', '', ''],
      );
      for (const other of rest) assert.deepEqual(unusualIn(other), [other]);
    }
  }
  assert.equal(variantText('repeat'), 'repeat visit with a filled cache');
  assert.equal(variantName('repeat'), 'repeat visit');
  assert.equal(variantPhrase('repeat'), 'a repeat visit');
});

test('gives each value of a factor a name of its own, the default too', () => {
  for (const { factors } of allExperiments()) {
    for (const values of Object.values(factors)) {
      const names = Object.keys(values).map(valueName);
      assert.equal(new Set(names).size, names.length);
      assert.ok(names.every((each) => each !== '' && !/^an? /.test(each)));
    }
  }
  assert.deepEqual(['cold', 'resumed', 'unheard-of'].map(valueName), [
    'first visit',
    'resumed visit',
    'unheard-of',
  ]);
});

test('has no words for a variant without factors, and shows an unknown value as it is', () => {
  assert.deepEqual(unusualIn(''), []);
  assert.equal(variantText(''), '');
  assert.equal(variantText('cold.unheard-of'), 'unheard-of');
});
