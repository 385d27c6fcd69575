import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageLoad } from '../../../../experiments/page-load/experiment.ts';
import { readOptions } from '../../../../runner/options.ts';
import { hypercornStacks } from '../../stack.ts';

test('compares aioquic, and both versions at one address, with HTTP/2 of the same program', () => {
  const names = hypercornStacks.map(({ stack }) => stack).join();
  const { stacks } = readOptions(['--stacks', `lsquic-h3,bun-h2,${names}`], pageLoad);
  assert.deepEqual(
    stacks.flatMap(({ stack, comparedWith }) => (comparedWith ? [[stack, comparedWith]] : [])),
    [
      ['hypercorn-h3', 'hypercorn-h2'],
      ['hypercorn-dual', 'hypercorn-h2'],
    ],
  );
});

test('gives matched TCP the initial window of aioquic', () => {
  const words = ['--stacks', 'lsquic-h3,hypercorn-h2,hypercorn-h1', '--initcwnd', 'matched'];
  for (const { stack, settings } of readOptions(words, pageLoad).stacks.slice(1)) {
    assert.deepEqual(settings, { initialWindowSegments: 10 }, stack);
  }
});

test('supports no key exchange but X25519', () => {
  for (const { stack } of hypercornStacks) {
    const words = ['--stacks', `lsquic-h3,${stack}`, '--key-exchange', 'x25519mlkem768'];
    assert.throws(() => readOptions(words, pageLoad), new RegExp(`${stack} supports only x25519`));
  }
});
