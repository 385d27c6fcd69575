import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conditionPairs } from '../../../../report/summary/condition-pairs.ts';
import { readOptions } from '../../../../runner/options.ts';
import { fixtureRun, NONE } from '../../../../test/unit/report/fixture-run.ts';
import { variantText } from '../../../index.ts';
import { processorCautions, slowdownOf } from '../../processor.ts';

const factorsOf = (...words: string[]) => readOptions(words).factors;

test('the speed of the processor is a condition only where it is chosen', () => {
  assert.deepEqual(factorsOf(), { visit: ['cold'] });
  assert.deepEqual(factorsOf('--cpu', '1,4'), { visit: ['cold'], cpu: ['cpu-1', 'cpu-4'] });
  assert.deepEqual(factorsOf('--cpu', 'cpu-20').cpu, ['cpu-20']);
  assert.deepEqual(factorsOf('--live', '--cpu', '4', 'https://www.example.org').cpu, ['cpu-4']);
  for (const wrong of ['0', '21', '1.5', 'fast', '4,4', '']) {
    assert.throws(() => factorsOf('--cpu', wrong), /UsageError: --cpu/, wrong);
  }
});

test('a load without the condition has a processor at full speed', () => {
  assert.equal(slowdownOf({ factors: { visit: 'cold' } }), 1);
  assert.equal(slowdownOf({ factors: { visit: 'cold', cpu: 'cpu-4' } }), 4);
});

test('names the slowed processor, and compares it with full speed', () => {
  assert.equal(variantText('cpu-1.cold'), '');
  assert.equal(
    variantText('cpu-4.repeat'),
    'processor slowed 4 times, repeat visit with a filled cache',
  );
  const { run } = fixtureRun({ networks: [NONE], repetitions: 1 });
  const [pair, ...rest] = conditionPairs({ ...run, factors: factorsOf('--cpu', '4,1') as never });
  assert.deepEqual(rest, []);
  const { words, from, to } = pair ?? {};
  assert.deepEqual([from?.variant, to?.variant], ['cpu-1.cold', 'cpu-4.cold']);
  assert.deepEqual(
    [words?.from, words?.to],
    ['processor at full speed', 'processor slowed 4 times'],
  );
  // A visit of a stack of one protocol may be another one; the speed is what it is.
  assert.equal(pair?.isSameFor('h2'), false);
});

test('a run with slowed pages says what was not slowed', () => {
  assert.deepEqual(processorCautions({ factors: { visit: ['cold'] } }), []);
  assert.deepEqual(processorCautions({ factors: { cpu: ['cpu-1'] } }), []);
  assert.match(
    processorCautions({ factors: { cpu: ['cpu-1', 'cpu-4'] } }).join(),
    /network process/,
  );
});
