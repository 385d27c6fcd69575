import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageLoad } from '../../../../experiments/page-load/experiment.ts';
import { readOptions } from '../../../../runner/options.ts';
import { goStacks } from '../../stack.ts';

const NAMES = goStacks.map(({ stack }) => stack).join();

test('compares quic-go, and both versions at one address, with HTTP/2 of the same program', () => {
  const { stacks } = readOptions(['--stacks', `lsquic-h3,bun-h2,${NAMES}`], pageLoad);
  assert.deepEqual(
    stacks.flatMap(({ stack, comparedWith }) => (comparedWith ? [[stack, comparedWith]] : [])),
    [
      ['quic-go-h3', 'go-h2'],
      ['go-dual', 'go-h2'],
    ],
  );
});

test('gives matched TCP Reno and the initial window of quic-go', () => {
  const { stacks, choices } = readOptions(
    ['--stacks', 'lsquic-h3,bun-h2,go-h2,go-h1', '--cc', 'matched', '--initcwnd', 'matched'],
    pageLoad,
  );
  assert.equal(choices.initialWindowSegments, 32);
  for (const { stack, settings } of stacks.slice(2)) {
    assert.deepEqual(settings, { congestionControl: 'reno' }, stack);
  }
});

test('has a configurable key exchange for each stack', () => {
  const words = ['--stacks', NAMES, '--key-exchange', 'x25519mlkem768'];
  assert.equal(readOptions(words, pageLoad).choices.keyExchange, 'x25519mlkem768');
});
