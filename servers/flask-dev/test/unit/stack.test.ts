import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageLoad } from '../../../../experiments/page-load/experiment.ts';
import { readOptions } from '../../../../runner/options.ts';
import { flaskDevStacks } from '../../stack.ts';

test('sends a document as it was saved by each of its stacks, which are suggested to a run without one', () => {
  const names = flaskDevStacks.map(({ stack }) => stack);
  for (const stack of names) {
    const words = ['--document', 'as-saved', '--stacks', stack];
    assert.equal(readOptions(words, pageLoad).choices.document, 'as-saved');
  }
  assert.throws(
    () => readOptions(['--document', 'as-saved'], pageLoad),
    new RegExp(`no stack of this run.*${names.join(', ')}`),
  );
});
