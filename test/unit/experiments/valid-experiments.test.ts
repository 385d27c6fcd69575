import assert from 'node:assert/strict';
import { test } from 'node:test';
import { example } from '../../../experiments/example/experiment.ts';
import { validExperiments } from '../../../experiments/valid-experiments.ts';
import type { Experiment } from '../../../ground/experiment.ts';

const [metric] = example.metrics;

test('accepts an experiment that fulfils the interface', () => {
  const experiments = [example];
  assert.equal(validExperiments(experiments), experiments);
});

test('rejects an experiment that does not fulfil the interface, with its file and the problem', () => {
  assert.ok(metric);
  const { metrics: _, readings: __, ...without } = example;
  for (const [experiment, message] of [
    [without as Experiment, /The experiment example lacks metrics, readings\.$/],
    [{} as Experiment, /The experiment without a name lacks name, command, /],
    [{ ...example, name: 'My_Own' }, /its name is My_Own/],
    [{ ...example, recordFile: '../draws.jsonl' }, /its record file is \.\.\/draws\.jsonl/],
    [{ ...example, metrics: [] }, /its first metric /],
    [{ ...example, metrics: [{ ...metric, better: null }] }, /its first metric has no direction/],
    [
      { ...example, metrics: [{ ...metric, name: 'drawnMs', unit: 'kbps' }] },
      /the metric drawnMs is in kbps, expected a name that ends with Kbps/,
    ],
    [
      { ...example, metrics: [{ ...metric, scale: 'difference' }] },
      /the metric drawnMs .* scale difference/,
    ],
    [
      { ...example, metrics: [{ ...metric, failed: 'absent' }] },
      /failed attempts as absent, expected ratio and worst/,
    ],
    [
      { ...example, metrics: [{ ...metric, name: 'drawn' }] },
      /the metric drawn is in ms, expected a name that ends with Ms/,
    ],
    [{ ...example, metrics: [{ ...metric, column: 'Drawn' }] }, /has the column Drawn/],
    [{ ...example, secondaryMetrics: ['paintMs'] }, /its secondary metric paintMs is not one/],
    [
      {
        ...example,
        metrics: [metric, { ...metric, name: 'sizeMs', better: null }],
        secondaryMetrics: ['sizeMs'],
      },
      /its secondary metric sizeMs is not one/,
    ],
    [
      { ...example, factors: { ip: { 'v4.1': { text: '', phrase: null } } } },
      /the factor value v4\.1 has a dot/,
    ],
  ] as const) {
    assert.throws(() => validExperiments([experiment as Experiment]), message);
  }
});

test('rejects two experiments with the same name, record file, or values of factors', () => {
  const other = { ...example, name: 'other', recordFile: 'others.jsonl' };
  const factors = { visit: { cold: { text: '', phrase: null } } };
  assert.throws(
    () => validExperiments([example, { ...other, name: 'example' }]),
    /the name example/,
  );
  assert.throws(
    () => validExperiments([example, { ...other, recordFile: 'draws.jsonl' }]),
    /record file/,
  );
  assert.throws(
    () =>
      validExperiments([
        { ...example, factors },
        { ...other, factors },
      ]),
    /value of a factor cold/,
  );
});
