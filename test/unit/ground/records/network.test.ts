import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkKey, networkKeyWithout } from '../../../../ground/records/network.ts';
import { DELAYED } from '../../report/fixture-run.ts';

const TRACE = { name: 'lte.down', sha256: 'a'.repeat(64), meanKbps: 5999.6, durationMs: 30_000 };
const CUT = { kind: 'cut', atMs: 500, lastsMs: 1000 } as const;
const BURSTS = { enterPercent: 0.4, leavePercent: 33 };

test('calls conditions the same only if name and all numbers are equal', () => {
  const variants = [
    { ...DELAYED, name: 'other' },
    { ...DELAYED, rttMs: 31 },
    { ...DELAYED, downKbps: 1 },
    { ...DELAYED, upKbps: 1 },
    { ...DELAYED, lossPercent: 1 },
    { ...DELAYED, jitterMs: 1 },
    { ...DELAYED, burstLoss: BURSTS },
    { ...DELAYED, trace: TRACE },
    { ...DELAYED, traceUp: TRACE },
    { ...DELAYED, trace: { ...TRACE, sha256: 'b'.repeat(64) } },
    { ...DELAYED, queueBdp: 1 },
    { ...DELAYED, queueBdp: 2 },
    { ...DELAYED, burstLoss: { ...BURSTS, leavePercent: 34 } },
    { ...DELAYED, event: CUT },
    { ...DELAYED, event: { ...CUT, lastsMs: 2000 } },
  ];
  const keys = [DELAYED, ...variants].map(networkKey);
  assert.equal(new Set(keys).size, keys.length);
  assert.equal(networkKey({ ...DELAYED }), keys[0]);
});

test('compares conditions except for named fields, independently of their names and field order', () => {
  const { rttMs, ...rest } = DELAYED;
  const event = { kind: 'rebind', atMs: 600 } as const;
  const moved = { ...rest, name: 'moved', event, lossPercent: 1, rttMs };
  assert.equal(
    networkKeyWithout(moved, 'event', 'lossPercent'),
    networkKeyWithout({ ...DELAYED, lossPercent: 2 }, 'lossPercent'),
  );
  assert.notEqual(networkKeyWithout(moved, 'event'), networkKeyWithout(DELAYED));
  assert.notEqual(
    networkKeyWithout(moved, 'lossPercent'),
    networkKeyWithout(DELAYED, 'lossPercent'),
  );
  assert.equal(networkKeyWithout({ ...DELAYED, name: 'other' }), networkKeyWithout(DELAYED));
  const recorded = { ...DELAYED, backend: 'netem', measuredRttMs: 31 };
  assert.equal(networkKeyWithout(recorded), networkKeyWithout(DELAYED));
});
