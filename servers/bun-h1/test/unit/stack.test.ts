import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageLoad } from '../../../../experiments/page-load/experiment.ts';
import { isSetUp } from '../../../../runner/machine.ts';
import { readOptions } from '../../../../runner/options.ts';
import { bunH1 } from '../../stack.ts';

test('is on every machine, and has a configurable key exchange', () => {
  assert.equal(isSetUp(bunH1), true);
  const words = ['--stacks', 'bun-h1', '--key-exchange', 'x25519mlkem768'];
  assert.equal(readOptions(words, pageLoad).choices.keyExchange, 'x25519mlkem768');
});
