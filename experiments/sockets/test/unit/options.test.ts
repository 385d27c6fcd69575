import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOptions } from '../../../../runner/options.ts';
import { assertEach } from '../../../../test/unit/assert-each.ts';
import { pageLoad } from '../../../page-load/experiment.ts';
import { sockets } from '../../experiment.ts';

const read = (...words: string[]) => readOptions(words, sockets);

test('accepts only the stacks of the experiment, compared with the one over TCP', () => {
  const { stacks, analysis, choices } = read();
  assertEach(stacks, ({ stack }) => stack, ['socket-quic', 'socket-tls', 'socket-tcp']);
  assert.equal(analysis.baseline, 'socket-tls');
  assert.deepEqual(choices.sockets, { messageBytes: 46, messages: 1 });
  assert.equal(read('--stacks', 'socket-tcp,socket-quic').analysis.baseline, 'socket-tcp');
  assert.throws(() => read('--stacks', 'bun-h2'), /Unknown stack bun-h2\. .*socket-quic/);
  assert.throws(() => readOptions(['--stacks', 'socket-tls'], pageLoad), {
    name: 'UsageError',
    message: /Unknown stack socket-tls\. .*lsquic-h3/,
  });
});

test('serves no sockets by a program of the user', () => {
  assert.throws(() => read('--server', process.execPath), /--server/);
});

test('exchanges keys by X25519MLKEM768 on request', () => {
  const { choices } = read('--key-exchange', 'x25519mlkem768');
  assert.equal(choices.keyExchange, 'x25519mlkem768');
});
