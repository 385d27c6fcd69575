import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageLoad } from '../../../experiments/page-load/experiment.ts';
import { MachineError, ServerError, UnusableStacksError } from '../../../ground/system/errors.ts';
import { stacksToExclude } from '../../../runner/excluded-stacks.ts';
import { optionsOf, readOptions } from '../../../runner/options.ts';

const REASON = 'not set up.';

/** Stacks excluded from a run with these options because two stacks are not set up. */
const excludedOf = (...words: string[]) =>
  stacksToExclude(
    new UnusableStacksError(['lsquic-h3', 'other-h3'], REASON),
    readOptions(words, pageLoad),
  );

test('excludes stacks that are not set up, and their control', () => {
  const words = ['--stacks', 'lsquic-h3,bun-h2,flask-h1', '--control', 'lsquic-h3'];
  assert.deepEqual(excludedOf(...words), [{ stack: 'lsquic-h3', reason: REASON }]);
});

test('excludes a stack whose server does not start, with the end of its log', () => {
  const error = new ServerError(
    'The server ended (1) before it was ready. The end of its log (/tmp/a.log):\n  starting\n  port taken\n  bye',
    'flask-h1',
  );
  assert.deepEqual(
    stacksToExclude(error, readOptions(['--stacks', 'lsquic-h3,bun-h2,flask-h1'], pageLoad)),
    [
      {
        stack: 'flask-h1',
        reason: 'The server ended (1) before it was ready. Its log ends: port taken bye',
      },
    ],
  );
});

test('ends a run that would keep one arm, that shares its plan, or that has another error', () => {
  const three = ['--stacks', 'lsquic-h3,bun-h2,flask-h1'];
  assert.throws(() => excludedOf('--stacks', 'lsquic-h3,bun-h2'), UnusableStacksError);
  assert.throws(() => excludedOf(...three, '--repetitions', '9', '--shard', '1/2'));
  assert.throws(() => excludedOf(...three, '--resume', 'folder'));
  const other = new MachineError('no browser');
  assert.throws(
    () => stacksToExclude(other, readOptions(three, pageLoad)),
    (error) => error === other,
  );
});

test('plans a run without the excluded stacks, unless it is compared with one', () => {
  const excludedStacks = [{ stack: 'lsquic-h3', reason: REASON }];
  const stacks = ['lsquic-h3', 'bun-h2', 'flask-h1'];
  const options = optionsOf({ given: { stacks: stacks.join() } }, pageLoad, {}, excludedStacks);
  assert.deepEqual(
    options.stacks.map(({ stack }) => stack),
    ['bun-h2', 'flask-h1'],
  );
  const given = { stacks: stacks.join(), baseline: 'lsquic-h3' };
  assert.throws(
    () => optionsOf({ given }, pageLoad, {}, excludedStacks),
    /--baseline lsquic-h3: expected/,
  );
});
