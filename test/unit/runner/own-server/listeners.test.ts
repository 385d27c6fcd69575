import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLoopbackOnly, parseListeners } from '../../../../runner/own-server/listeners.ts';
import { assertEach } from '../../assert-each.ts';

// Output of `ss -Hlnpt` of iproute2 6.1.
const SS = `LISTEN 0      511          0.0.0.0:8443      0.0.0.0:*    users:(("nginx",pid=812,fd=6),("nginx",pid=811,fd=6))
LISTEN 0      512        127.0.0.1:8444      0.0.0.0:*
LISTEN 0      511    127.0.0.53%lo:53        0.0.0.0:*    users:(("resolved",pid=90,fd=6))
LISTEN 0      511            [::1]:8445         [::]:*    users:(("node",pid=99,fd=21))
LISTEN 0      511                *:8446            *:*    users:(("node",pid=98,fd=21))
`;

test('reads listening sockets with the first process of each', () => {
  assert.deepEqual(parseListeners(SS), [
    { address: '0.0.0.0', port: 8443, pid: 811 },
    { address: '127.0.0.1', port: 8444, pid: null },
    { address: '127.0.0.53', port: 53, pid: 90 },
    { address: '[::1]', port: 8445, pid: 99 },
    { address: '*', port: 8446, pid: 98 },
  ]);
  assert.deepEqual(parseListeners(''), []);
});

test('distinguishes listeners on loopback alone from those that a path reaches', () => {
  assertEach(parseListeners(SS), (each) => isLoopbackOnly(each), [false, true, true, true, false]);
});
