import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOfSize } from '../../../../ground/options/sizes.ts';
import { readOptions } from '../../../../runner/options.ts';
import { transfer } from '../../experiment.ts';

test('sizes are decimal, have a unit, and end at 2 GB', () => {
  const sizes = { '0B': 0, '1.5kB': 1500, '10MB': 10_000_000, '2GB': 2_000_000_000 };
  for (const [size, bytes] of Object.entries(sizes)) assert.equal(bytesOfSize(size), bytes, size);
  for (const size of ['10', '-1B', '3GB', '1KB', '1.kB', '']) {
    assert.equal(bytesOfSize(size), null, size);
  }
});

test('a size that is written in two ways is asked for once', () => {
  const { subjects } = readOptions(['--size', '1000kB,1MB,10kB', '--repetitions', '6'], transfer);
  assert.equal(subjects.length, 2);
});

test('windows that a client cannot be given, or that limit nothing, are refused with what to do', () => {
  const refused = {
    '--client chromium --stream-window 64kB --stacks bun-h2': /Chromium cannot be given windows/,
    '--client curl --stream-window 64kB --stacks lsquic-h3': /grow whatever they begin with/,
    '--client curl --receive-window 64kB --stacks lsquic-h3': /leave lsquic-h3 out/,
    '--upload --stream-window 64kB --stacks bun-h2': /window of the server/,
  };
  for (const [words, why] of Object.entries(refused)) {
    assert.throws(() => readOptions(words.split(' '), transfer), why, words);
  }
  for (const words of [
    '--client curl --stream-window 64kB --stacks bun-h2',
    '--client chromium --receive-window 64kB --stacks bun-h2',
    '--client bun --stream-window 64kB --stacks lsquic-h3,bun-h2',
  ]) {
    assert.ok(readOptions(words.split(' '), transfer).choices.transfers, words);
  }
});
