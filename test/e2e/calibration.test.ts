import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NetworkError } from '../../runner/errors.ts';
import { readMachine } from '../../runner/machine.ts';
import { calibrate } from '../../runner/network/calibration/calibrate.ts';
import { judgeCalibration } from '../../runner/network/calibration/judge.ts';
import { calibrateUntilRight } from '../../runner/network/calibration/until-right.ts';
import { NAMED_CONDITIONS } from '../../runner/network/conditions.ts';
import { withNetwork } from '../../runner/network/network.ts';
import type { Path } from '../../runner/network/path.ts';
import { conditionOf } from '../unit/runner/network/calibration/example.ts';

const { python } = readMachine();
const PATH = {
  python,
  backend: 'auto',
  hosts: 1,
  congestionControl: 'cubic',
  initcwnd: null,
} as const;

test('a path is found to be what it was asked to be', async (t) => {
  await withNetwork(PATH, async (path: Path) => {
    await t.test('30 ms within 1 ms above its own, half of it each way', async () => {
      await path.apply(conditionOf({}));
      const own = await calibrateUntilRight(path, conditionOf({}), python);
      const asked = conditionOf({ rttMs: 30 });
      await path.apply(asked);
      const found = await calibrateUntilRight(path, asked, python);
      const addedMs = found.udpRttMs.median - own.udpRttMs.median;
      assert.ok(Math.abs(addedMs - 30) <= 1.2, `${addedMs} ms`);
      assert.ok(
        Math.abs(found.toServerMs.median - 15) <= 1.2,
        `${found.toServerMs.median} ms there`,
      );
      assert.ok(
        Math.abs(found.toClientMs.median - 15) <= 1.2,
        `${found.toClientMs.median} ms back`,
      );
      assert.equal(found.udpProbesLost, 0);
    });

    await t.test('a rate of its own in each direction within 5 %', async () => {
      const asked = conditionOf({ rttMs: 20, downKbps: 8000, upKbps: 768 });
      await path.apply(asked);
      const found = await calibrateUntilRight(path, asked, python);
      assert.ok(Math.abs((found.downKbps ?? 0) / 8000 - 1) <= 0.05, `${found.downKbps} kbit/s`);
      assert.ok(Math.abs((found.upKbps ?? 0) / 768 - 1) <= 0.05, `${found.upKbps} kbit/s`);
    });

    await t.test('lost probes are counted and do not change the round trip', async () => {
      const asked = conditionOf({ rttMs: 20, lossPercent: 10 });
      await path.apply(asked);
      const found = await calibrateUntilRight(path, asked, python);
      assert.equal(found.udpRttMs.count, 50);
      assert.ok(found.udpProbesLost > 0);
    });

    await t.test('every named condition can be made, also the slow and far ones', async () => {
      for (const named of NAMED_CONDITIONS) {
        const asked = { ...named, seed: 1 };
        await path.apply(asked);
        await calibrateUntilRight(path, asked, python);
      }
    });

    await t.test(
      'a path of 40 ms is refused where 30 ms were asked, with both numbers',
      async () => {
        await path.apply(conditionOf({ rttMs: 40 }));
        const asked = conditionOf({ rttMs: 30 });
        const found = await calibrate(path, asked, python);
        assert.throws(
          () => judgeCalibration(found, asked),
          (error) =>
            error instanceof NetworkError &&
            /30 ms of round trip were asked, 4\d/.test(error.message),
        );
      },
    );
  });
});
