import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../../../../../ground/system/errors.ts';
import { readOptions } from '../../../../../runner/options.ts';
import { pageLoad } from '../../../experiment.ts';

const read = (...words: string[]) => readOptions(['--explain', ...words], pageLoad);

test('adds arms and their explanations to the plan', () => {
  const { stacks, analysis, repetitions, stopping } = read('--stacks', 'lsquic-h3,bun-h2');
  assert.deepEqual(
    stacks.filter(({ explains }) => explains === undefined).map(({ stack }) => stack),
    ['lsquic-h3', 'bun-h2'],
  );
  assert.ok(stacks.length > 10);
  assert.equal(analysis.explanations?.length, 1);
  // One look, after all blocks, as parts need all of them.
  assert.equal(stopping?.blocksPerLook, repetitions);
});

test('takes at most 20 minutes for a page and a condition', () => {
  const { stopping } = read('--sites', 'shower-deck,jquery-ui-demo', '--rtt', '0,30,100');
  assert.equal(stopping?.budgetMs, 2 * 3 * 20 * 60_000);
});

test('rejects visits, and conditions that set what further arms change', () => {
  for (const words of [
    ['--visit', 'cold,resumed'],
    ['--cc', 'cubic,bbr'],
    ['--initcwnd', 'matched,stock'],
    ['--receive-buffer', 'matched,stock'],
    ['--event', 'rebind@500ms'],
    ['--stacks', 'lsquic-h3'],
  ]) {
    assert.throws(() => read(...words), UsageError, words.join(' '));
  }
});

test('a run without --explain has neither', () => {
  const { stacks, analysis } = readOptions([], pageLoad);
  assert.ok(stacks.every(({ explains }) => explains === undefined));
  assert.equal(analysis.explanations, undefined);
});
