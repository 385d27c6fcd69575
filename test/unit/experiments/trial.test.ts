import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientFailure, counted, observe } from '../../../experiments/trial.ts';
import { NetworkError } from '../../../ground/system/errors.ts';

test('an attempt is watched while it acts', async () => {
  const order: string[] = [];
  const { acted, machine } = await observe(
    () => {
      order.push('watch');
      return { end: () => order.push('end') };
    },
    async () => order.push('act'),
  );
  assert.deepEqual(order, ['watch', 'act', 'end']);
  assert.deepEqual([acted, machine], [2, 3]);
});

test('a clock that is set while an attempt acts is seen', async (t) => {
  const { now } = Date;
  const { time } = await observe(
    () => ({ end() {} }),
    async () => void t.mock.method(Date, 'now', () => now() + 3_000),
  );
  assert.ok(time.clocksApartMs > 2_900);
});

test('packets are counted before samples and connections are read', async () => {
  const order: string[] = [];
  const path = {
    count: async () => order.push('count'),
    connections: async (keyLog?: string) => order.push(`connections by ${keyLog}`),
  } as unknown as Parameters<typeof counted>[0];
  const samples = async () => {
    order.push('samples');
    return [];
  };
  await counted(path, { samples, keyLog: async () => 'keys' });
  assert.deepEqual(order, ['count', 'samples', 'connections by keys']);
});

test('a program that breaks fails its attempt by what broke', () => {
  assert.equal(clientFailure(new NetworkError('gone'), {}).code, 'network-failed');
  const message = 'gone';
  assert.deepEqual(clientFailure(new Error(message), {}), { code: 'client-failed', message });
  const signal = AbortSignal.abort(new Error('interrupted'));
  assert.throws(() => clientFailure(new Error(message), { signal }), /interrupted/);
});
