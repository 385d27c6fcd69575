import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataSecrets, randomsWithoutSecrets } from '../../../../network/handshakes/key-log.ts';

const [A = '', B = '', C = ''] = ['a', 'b', 'c'].map((digit) => digit.repeat(64));

test('lacks secrets until the log has those of its data', () => {
  const log = [
    '# a comment',
    `CLIENT_HANDSHAKE_TRAFFIC_SECRET ${A} 01`,
    `SERVER_TRAFFIC_SECRET_0 ${B.toUpperCase()} 02`,
    `CLIENT_RANDOM ${C} 03`,
  ].join('\n');
  assert.deepEqual(randomsWithoutSecrets([A, B, C], log), [A]);
  assert.deepEqual(randomsWithoutSecrets([A], `${log}\nSERVER_TRAFFIC_SECRET_0 ${A} 04\n`), []);
  assert.deepEqual(randomsWithoutSecrets([A, B], ''), [A, B]);
});

test('reads the first secrets of the data in both directions', () => {
  const log = [
    `CLIENT_TRAFFIC_SECRET_0 ${A.toUpperCase()} ${B}`,
    `SERVER_TRAFFIC_SECRET_0 ${A} ${C}${'0'.repeat(32)}`,
    `SERVER_TRAFFIC_SECRET_0 ${B} 00`,
  ].join('\n');
  const found = [...dataSecrets(log)].map(([random, { toServer, toClient }]) => [
    random,
    toServer?.toString('hex'),
    toClient?.length,
  ]);
  assert.deepEqual(found, [[A, B, 48]]);
});
