import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allExperiments } from '../../../experiments/index.ts';
import { optionsOfRun } from '../../../ground/options/common.ts';
import { UsageError } from '../../../ground/system/errors.ts';
import { readOptions } from '../../../runner/options.ts';

const read = (...words: string[]) => readOptions(['--repetitions', '20', ...words]);

const refused = (words: string[], message: RegExp) =>
  assert.throws(
    () => read(...words),
    (error) => error instanceof UsageError && message.test(error.message),
  );

test('a mix is part of the analysis, and its networks are measured', () => {
  const { analysis, networks } = read('--mix', 'lte=60,cable=30, dsl=10');
  assert.deepEqual(analysis.mix, { lte: 60, cable: 30, dsl: 10 });
  assert.deepEqual(
    networks.map(({ name }) => name),
    ['lte', 'cable', 'dsl'],
  );
  assert.equal('mix' in read().analysis, false);
});

test('a mix may weight networks that other options give', () => {
  const named = read('--network', 'dsl,lte', '--mix', 'lte=60,dsl=40');
  assert.deepEqual(
    named.networks.map(({ name }) => name),
    ['dsl', 'lte'],
  );
  const numbered = read('--rtt', '30,60', '--mix', '30ms=60,60ms=40');
  assert.deepEqual(numbered.analysis.mix, { '30ms': 60, '60ms': 40 });
});

test('a mix that is wrong is refused with the reason', () => {
  refused(['--mix', 'lte=60,dsl=30'], /sum to 90 %, expected 100 %/);
  refused(['--mix', 'lte=60,dls=40'], /Unknown network dls.*dsl/);
  refused(['--mix', 'lte=60,lte=40'], /lte stands twice/);
  for (const words of [
    'lte=0,dsl=100',
    'lte=-5,dsl=105',
    'lte=101',
    'lte',
    'lte=',
    '=5',
    'lte=a',
  ]) {
    refused(['--mix', words], /expected NAME=PERCENT above 0 and up to 100/);
  }
  refused(['--mix', 'lte=60,', '--network', 'lte'], /expected names with commas between/);
  refused(['--network', 'lte,dsl', '--mix', 'lte=100'], /lacks dsl, expected a share of each/);
  refused(['--network', 'lte', '--mix', 'lte=50,dsl=50'], /has dsl, expected the networks/);
});

test('experiments without pages have no mix', () => {
  for (const experiment of allExperiments()) {
    assert.equal('mix' in optionsOfRun(experiment), experiment.loadsPages ?? false);
  }
});
