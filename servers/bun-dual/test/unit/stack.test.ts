import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageLoad } from '../../../../experiments/page-load/experiment.ts';
import { isSetUp } from '../../../../runner/machine.ts';
import { readOptions } from '../../../../runner/options.ts';
import { bunDual } from '../../stack.ts';

test('is on every machine, and is compared with its HTTP/2 alone', () => {
  assert.equal(isSetUp(bunDual), true);
  const { stacks, analysis } = readOptions(['--stacks', 'bun-dual,bun-h2'], pageLoad);
  assert.equal(analysis.baseline, 'bun-h2');
  assert.equal(stacks[0]?.comparedWith, undefined);
});

test('has a configurable key exchange', () => {
  const words = ['--stacks', 'bun-dual', '--key-exchange', 'x25519mlkem768'];
  assert.equal(readOptions(words, pageLoad).choices.keyExchange, 'x25519mlkem768');
});
