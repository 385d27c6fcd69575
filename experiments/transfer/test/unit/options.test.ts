import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOfSize } from '../../../../ground/options/sizes.ts';
import { readCommandLine } from '../../../../runner/command-line/command-line.ts';
import { readOptions } from '../../../../runner/options.ts';
import { STACKS } from '../../../../servers/index.ts';
import { transfer } from '../../experiment.ts';

test('reads sizes as decimal with a unit, up to 2 GB', () => {
  const sizes = { '0B': 0, '1.5kB': 1500, '10MB': 10_000_000, '2GB': 2_000_000_000 };
  for (const [size, bytes] of Object.entries(sizes)) assert.equal(bytesOfSize(size), bytes, size);
  for (const size of ['10', '-1B', '3GB', '1KB', '1.kB', '']) {
    assert.equal(bytesOfSize(size), null, size);
  }
});

test('requests a size once that is written in two forms', () => {
  const { subjects } = readOptions(['--size', '1000kB,1MB,10kB', '--repetitions', '6'], transfer);
  assert.equal(subjects.length, 2);
});

test('rejects windows that a client does not support, or that limit nothing, with the remedy', () => {
  const refused = {
    '--client chromium --stream-window 64kB --stacks bun-h2': /windows cannot be set/,
    '--client chromium --receive-window 64kB --stacks lsquic-h3': /remove lsquic-h3/,
    '--upload --stream-window 64kB --stacks bun-h2': /belongs to the server/,
  };
  for (const [words, why] of Object.entries(refused)) {
    assert.throws(() => readOptions(words.split(' '), transfer), why, words);
  }
  for (const words of [
    '--client chromium --receive-window 64kB --stacks bun-h2',
    '--client bun --stream-window 64kB --stacks lsquic-h3,bun-h2',
  ]) {
    assert.ok(readOptions(words.split(' '), transfer).choices.transfers, words);
  }
});

test('takes sockets by the client that needs no HTTP, each compared with its twin', () => {
  const words = ['--stacks', 'lsquic-h3,bun-h2,plain-quic,plain-tls,plain-tcp'];
  const { stacks } = readOptions(words, transfer);
  assert.deepEqual(
    stacks.map(({ stack, comparedWith }) => [stack, comparedWith]),
    [
      ['lsquic-h3', undefined],
      ['bun-h2', undefined],
      ['plain-quic', 'plain-tls'],
      ['plain-tls', undefined],
      ['plain-tcp', undefined],
    ],
  );
  for (const client of ['curl', 'chromium']) {
    assert.throws(
      () => readOptions([...words, '--client', client], transfer),
      /by HTTP only, and plain-quic is without HTTP\. Use --client bun/,
      client,
    );
  }
  const byDefault = readOptions([], transfer).stacks.map(({ stack }) => stack);
  assert.ok(!byDefault.some((stack) => stack.startsWith('plain-')));
});

test('measures one size by a running server, and leaves its process alone', () => {
  const read = (...words: string[]) =>
    readOptions(
      ['--stacks', 'mine-h3=https://localhost:8443,mine-h2=https://localhost:8443', ...words],
      transfer,
    );
  assert.equal(read('--size', '1MB', '--explain').stacks.length, 2);
  assert.throws(
    () => read('--size', '1MB,10MB'),
    /mine-h3 is a running server.*--size 1MB$|one file.*--size 1MB\.$/,
  );
  assert.throws(
    () => read('--size', '1MB', '--profile', 'syscalls'),
    /running server.*Omit --profile/,
  );
});

test('compares QUIC with its twin', () => {
  const twins = STACKS.filter(({ protocol, tcpTwin }) => protocol === 'h3' && tcpTwin);
  const names = twins.flatMap(({ stack, tcpTwin }) => [stack, tcpTwin?.stack ?? '']);
  const { stacks, analysis } = readOptions(['--stacks', names.join()], transfer);
  assert.equal(analysis.baseline, twins[0]?.tcpTwin?.stack);
  for (const { stack, tcpTwin } of twins.slice(1)) {
    const found = stacks.find((each) => each.stack === stack);
    assert.equal(found?.comparedWith, tcpTwin?.stack);
  }
});

test('exchanges keys by X25519MLKEM768 with every client', () => {
  for (const client of transfer.clients ?? []) {
    const words = ['--key-exchange', 'x25519mlkem768', '--stacks', 'lsquic-h3,bun-h2'];
    const { choices } = readOptions([...words, '--client', client], transfer);
    assert.equal(choices.keyExchange, 'x25519mlkem768', client);
  }
});

test('rejects a word that is no option as unexpected', () => {
  assert.throws(
    () => readCommandLine(['transfer', 'www.iana.org']),
    /Unexpected argument www\.iana\.org\. Options: /,
  );
});

test('lets only browsers choose between two versions of HTTP at one address', () => {
  const both = STACKS.find(({ protocol }) => protocol === 'h2+h3');
  if (both === undefined) return;
  assert.throws(() => readOptions(['--stacks', `bun-h2,${both.stack}`], transfer), {
    name: 'UsageError',
    message: /^[\w-]+ offers HTTP\/2 and HTTP\/3 .* npm run transfer .*bun-h2/,
  });
});
