import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assessCalibration } from '../../network/calibration/assess.ts';
import { calibrate } from '../../network/calibration/calibrate.ts';
import { calibrateUntilRight } from '../../network/calibration/until-right.ts';
import { withNetwork } from '../../network/network.ts';
import type { Path } from '../../network/path.ts';
import { readMachine } from '../../runner/machine.ts';
import { conditionOf } from '../unit/network/calibration/example.ts';

const { python } = readMachine();
const PATH = {
  python,
  backend: 'auto',
  hosts: 1,
  congestionControl: 'cubic',
  initcwnd: null,
} as const;

/** Pauses of a machine that stays late widen it, as in the assessment. */
function assertRate(
  kbps: number | null,
  requestedKbps: number,
  pausedPercent: number | null,
): void {
  const error = (kbps ?? 0) / requestedKbps - 1;
  const paused = (pausedPercent ?? 0) / 100;
  assert.ok(
    error >= -0.05 - 2 * paused && error <= 0.05 + 3 * paused ** 2,
    `${kbps} kbit/s, ${pausedPercent} % in pauses`,
  );
}

test('a path has its requested properties:', async (t) => {
  await withNetwork(PATH, async (path: Path) => {
    // The fastest probes are assessed: on a busy machine the rest is late.
    await t.test('30 ms within 1 ms above its own, half of it each way', async () => {
      await path.apply(conditionOf({}));
      const own = await calibrateUntilRight(path, conditionOf({}), python);
      const requested = conditionOf({ rttMs: 30 });
      await path.apply(requested);
      let found = await calibrateUntilRight(path, requested, python);
      const addedMs = found.udpRttMs.minimum - own.udpRttMs.minimum;
      assert.ok(Math.abs(addedMs - 30) <= 1, `${addedMs} ms`);
      const { toServerMs, toClientMs } = found;
      assert.ok(Math.abs(toServerMs.minimum - 15) <= 1, `${toServerMs.minimum} ms there`);
      assert.ok(Math.abs(toClientMs.minimum - 15) <= 1, `${toClientMs.minimum} ms back`);
      // A reply that a busy machine delays for long counts as lost, hardly three times in a row.
      for (let again = 0; again < 2 && found.udpProbesLost > 0; again++)
        found = await calibrateUntilRight(path, requested, python);
      assert.equal(found.udpProbesLost, 0);
    });

    await t.test('a rate of its own in each direction within 5 %', async () => {
      const requested = conditionOf({ rttMs: 20, downKbps: 8000, upKbps: 768 });
      await path.apply(requested);
      const found = await calibrateUntilRight(path, requested, python);
      assertRate(found.downKbps, 8000, found.downPausedPercent);
      assertRate(found.upKbps, 768, found.upPausedPercent);
    });

    await t.test('lost probes that are counted and do not change the round trip', async () => {
      const requested = conditionOf({ rttMs: 20, lossPercent: 10 });
      await path.apply(requested);
      const found = await calibrateUntilRight(path, requested, python);
      assert.equal(found.udpRttMs.count, 50);
      assert.ok(found.udpProbesLost > 0);
    });

    await t.test(
      'rejects a path of 40 ms when 30 ms were requested, with both numbers',
      async () => {
        await path.apply(conditionOf({ rttMs: 40 }));
        const requested = conditionOf({ rttMs: 30 });
        const { wrong } = assessCalibration(await calibrate(path, requested, python), requested);
        assert.match(wrong ?? '', /(39\.[5-9]|4\d)\S* ms instead of 30 ms/);
      },
    );
  });
});
