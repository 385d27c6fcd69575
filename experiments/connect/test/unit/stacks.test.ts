import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOptions } from '../../../../runner/options.ts';
import { connect } from '../../experiment.ts';

const RUNNING = 'mine-h3=https://a.test,mine-h2=https://a.test';

const stacksOf = (...words: string[]) => readOptions(words, connect).stacks;

test('connects to existing servers and to programs of the user', () => {
  const namesOf = (...words: string[]) => stacksOf(...words).map(({ stack }) => stack);
  assert.deepEqual(namesOf('--stacks', RUNNING, '--via', 'quic,tls1.2'), [
    'mine-h3',
    'mine-h2-tls1.2',
  ]);
  assert.deepEqual(namesOf('--server', process.execPath, '--via', 'quic'), ['own-h3']);
  const two = ['old', 'new'].flatMap((name) => ['--server', `${name}=${process.execPath}`]);
  assert.deepEqual(namesOf(...two, '--via', 'quic'), ['old-h3', 'new-h3']);
});

test('compares two servers of the user by transport with that of the baseline', () => {
  const servers = ['old', 'new'].flatMap((name) => ['--server', `${name}=${process.execPath}`]);
  const words = [...servers, '--via', 'quic,tls1.2', '--baseline', 'old-h3'];
  assert.deepEqual(
    stacksOf(...words).map(({ stack, comparedWith }) => [stack, comparedWith]),
    [
      ['old-h3', undefined],
      ['old-h2-tls1.2', undefined],
      ['new-h3', undefined],
      ['new-h2-tls1.2', 'old-h2-tls1.2'],
    ],
  );
});

test('compares QUIC with the usual transport of its twin', () => {
  const words = ['--stacks', `lsquic-h3,bun-h2,${RUNNING}`, '--via', 'quic,tls1.3,tls1.2'];
  assert.equal(readOptions(words, connect).analysis.baseline, 'bun-h2');
  assert.deepEqual(
    stacksOf(...words).flatMap(({ stack, comparedWith = [] }) =>
      [comparedWith].flat().map((twin) => `${stack} with ${twin}`),
    ),
    ['mine-h3 with mine-h2'],
  );
});

test('exchanges keys by X25519MLKEM768 where all servers can, TCP alone included', () => {
  const exchangeOf = (...words: string[]) =>
    readOptions(['--key-exchange', 'x25519mlkem768', ...words], connect).choices.keyExchange;
  assert.equal(exchangeOf('--stacks', 'bun-h2', '--via', 'tcp,tls1.3'), 'x25519mlkem768');
  assert.throws(
    () => exchangeOf('--stacks', 'lsquic-h3,bun-h2', '--via', 'quic,tls1.2'),
    /TLS 1\.2 .*tls1\.2 from --via/,
  );
});
