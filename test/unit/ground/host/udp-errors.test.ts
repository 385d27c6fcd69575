import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  parseUdpBufferErrors,
  readUdpBufferErrors,
} from '../../../../ground/host/machine-watch.ts';

const NAMES =
  'Udp: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors InCsumErrors IgnoredMulti MemErrors';

test('adds up full buffers of sockets and full memory', () => {
  const text = `Tcp: A B\nTcp: 8 9\n${NAMES}\nUdp: 1 2 30 4 20 6 7 8 3\nUdpLite: RcvbufErrors\nUdpLite: 99\n`;
  assert.equal(parseUdpBufferErrors(text), 23);
});

test('accepts an older kernel without MemErrors, and rejects missing counters', () => {
  assert.equal(parseUdpBufferErrors('Udp: InErrors RcvbufErrors\nUdp: 5 4\n'), 4);
  assert.throws(() => parseUdpBufferErrors('Udp: InErrors\nUdp: 5\n'), /no Udp: RcvbufErrors/);
});

test('counts a namespace with two processes once, and an ended process not at all', () => {
  assert.equal(readUdpBufferErrors([process.pid, process.ppid, 2 ** 30]).size, 1);
});
