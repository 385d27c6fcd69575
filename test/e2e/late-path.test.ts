import assert from 'node:assert/strict';
import { NetworkError } from '../../ground/system/errors.ts';
import { calibrateUntilRight } from '../../network/calibration/until-right.ts';
import type { SeededCondition } from '../../network/conditions.ts';
import type { Path } from '../../network/path.ts';
import { conditionOf } from '../unit/network/calibration/example.ts';
import { agentOf, childrenOf, processes } from './processes.ts';
import { withStolenTime } from './stolen-time.ts';
import { PYTHON, pathTest } from './userspace-path.ts';

/** The link of the path, and both ends of the prober while it runs. */
function measuredPrograms(made: Path): () => number[] {
  const holders = (['client', 'server'] as const).map((end) =>
    Number(/\/proc\/(\d+)\/ns\/net/.exec(made.agent.enter(end).join(' '))?.[1]),
  );
  const links = childrenOf(agentOf(process.pid)).filter(({ pid }) => !holders.includes(pid));
  assert.equal(links.length, 1);
  const probers = () =>
    processes().filter(
      ({ parent, command }) => parent === process.pid && command.includes('probe.py'),
    );
  return () => [...links, ...probers()].map(({ pid }) => pid);
}

/**
 * Measures until the machine is found late, which need not be in each measurement; the path must be
 * right in all.
 */
async function lateWhereTimeIsStolen(
  made: Path,
  requested: SeededCondition,
): Promise<string | null> {
  return withStolenTime(measuredPrograms(made), async () => {
    let late: string | null = null;
    for (let time = 0; time < 20 && late === null; time++) {
      ({ late } = await calibrateUntilRight(made, requested, PYTHON, { patienceMs: 0 }));
    }
    return late;
  });
}

for (const rttMs of [0, 30]) {
  pathTest(`accepts a path of ${rttMs} ms with stolen time as correct and late`, async (made) => {
    const requested = conditionOf({ rttMs });
    await made.apply(requested);
    const late = await lateWhereTimeIsStolen(made, requested);
    assert.match(late ?? '', /^The path was late when it was measured: /);
  });
}

pathTest('accepts a rate with stolen time as correct and late', async (made) => {
  const requested = conditionOf({ rttMs: 20, downKbps: 8000, upKbps: 768 });
  await made.apply(requested);
  const late = await lateWhereTimeIsStolen(made, requested);
  assert.ok(late);
});

for (const [made, requested] of [
  [1, 0],
  [31, 30],
  [29, 30],
] as const) {
  pathTest(
    `rejects a path of ${made} ms when ${requested} ms were requested, with stolen time`,
    async (path) => {
      await path.apply(conditionOf({ rttMs: made }));
      const lates: boolean[] = [];
      const measuring = withStolenTime(measuredPrograms(path), () =>
        calibrateUntilRight(path, conditionOf({ rttMs: requested }), PYTHON, {
          onMeasured: ({ late }) => {
            lates.push(late !== null);
          },
        }),
      );
      await assert.rejects(measuring, (error) => {
        assert.ok(error instanceof NetworkError);
        assert.match(error.message, new RegExp(`instead of ${requested} ms `));
        return true;
      });
      assert.ok(lates.includes(true), 'time was stolen');
    },
  );
}
