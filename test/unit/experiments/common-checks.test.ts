import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { mock, test } from 'node:test';
import { allExperiments } from '../../../experiments/index.ts';
import type { NetworkCondition, PathCounts } from '../../../ground/records/network.ts';
import { NOTHING_ADDED } from '../../../network/conditions.ts';
import { root } from '../shipped-files.ts';
import { pathWith, runTrial } from './made-up-trial.ts';

const LOSES_ONE: NetworkCondition = { ...NOTHING_ADDED, lostPacket: 3 };

async function codeOf(
  happening: { act?: () => void; path?: PathCounts },
  network: NetworkCondition = NOTHING_ADDED,
): Promise<string | null> {
  try {
    return (await runTrial(network, happening)).code;
  } finally {
    mock.restoreAll();
  }
}

/** Advances a clock by this when an attempt acts. */
function jump(clock: object, ms: number): () => void {
  const { now } = clock as { now: () => number };
  return () => void mock.method(clock as { now(): number }, 'now', () => now.call(clock) + ms);
}

test('makes attempts of any experiment invalid for problems of machine and path', async () => {
  assert.equal(await codeOf({}), null);
  assert.equal(await codeOf({ act: jump(Date, 3_000) }), 'clock-jumped');
  const both = () => {
    for (const clock of [Date, performance]) jump(clock, 1_500)();
  };
  assert.equal(await codeOf({ act: both }), 'machine-stalled');
  assert.equal(await codeOf({ path: pathWith({ lost: 1 }) }), 'path-disturbed');
  assert.equal(await codeOf({ path: pathWith({ queueDrops: 1 }) }), 'path-disturbed');
  assert.equal(await codeOf({}, LOSES_ONE), 'nothing-lost');
  assert.equal(await codeOf({ path: pathWith({ lost: 1 }) }, LOSES_ONE), null);
});

test("ranks explanations of other problems before the experiment's checks, and failures after them", async () => {
  const own = { code: 'own', message: 'A check of the experiment failed.' };
  const codeWith = async (network: NetworkCondition, problem: object, lost: number) =>
    (
      await runTrial(network, {
        path: pathWith({ lost }),
        checks: () => [() => ({ ...own, ...problem })],
      })
    ).code;
  assert.equal(await codeWith(NOTHING_ADDED, {}, 1), 'path-disturbed');
  assert.equal(await codeWith(LOSES_ONE, {}, 0), 'own');
  assert.equal(await codeWith(LOSES_ONE, { hasFailed: true }, 0), 'nothing-lost');
  const { outcome, code } = await runTrial(NOTHING_ADDED, {
    checks: () => [() => ({ ...own, hasFailed: true })],
  });
  assert.deepEqual([outcome, code], ['failed', 'own']);
});

test('makes attempts of every measuring experiment by the frame, which runs the common checks', () => {
  const measures = allExperiments().map(({ name }) =>
    path.join(root, 'experiments', name, 'measure.ts'),
  );
  // The one that draws numbers has no path.
  const byTrial = measures.filter((file) => {
    assert.ok(existsSync(file), file);
    return /import \{[^}]*\bmakeAttempt\b[^}]*\} from '\.\.\/trial\.ts'/.test(
      readFileSync(file, 'utf8'),
    );
  });
  const rest = measures.filter((file) => !byTrial.includes(file));
  for (const file of rest)
    assert.doesNotMatch(readFileSync(file, 'utf8'), /\.apply\(|applyPath/, file);
  assert.ok(byTrial.length > 0);
});
