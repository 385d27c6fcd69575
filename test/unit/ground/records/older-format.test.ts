import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORMAT } from '../../../../ground/records/format.ts';
import {
  renameFields,
  upgradeFormat5,
  upgradePlan,
} from '../../../../ground/records/older-format.ts';
import { planOf, planSha256, problemOfDigest } from '../../../../ground/records/plan-digest.ts';
import type { PlanRecord, RunRecord } from '../../../../ground/records/run.ts';
import { fixtureRun } from '../../report/fixture-run.ts';

test('renames fields at any depth, and keeps values and other fields', () => {
  const value = { via: [{ via: 'via', other: null }], more: { via: 1 } };
  assert.deepEqual(renameFields(value, { via: 'transport' }), {
    transport: [{ transport: 'via', other: null }],
    more: { transport: 1 },
  });
  assert.deepEqual(renameFields({ constructor: 1 }, { via: 'transport' }), { constructor: 1 });
});

test('upgrades only records of format 5', () => {
  const upgrade = () => ({ upgraded: true });
  assert.deepEqual(upgradeFormat5({ formatVersion: 5, formatMinor: 9 }, upgrade), {
    upgraded: true,
    ...FORMAT,
  });
  for (const value of [{ formatVersion: 4 }, { ...FORMAT }, [5], null, 'text', undefined]) {
    assert.equal(upgradeFormat5(value, upgrade), value);
  }
});

/** A run in format 5. */
function olderRun(): RunRecord {
  const { run } = fixtureRun({ repetitions: 2 });
  const arms = run.arms.map((arm) => ({ ...arm, via: 'quic' }));
  const older = { ...run, arms, formatVersion: 5, formatMinor: 15 } as unknown as RunRecord;
  const { planSha256: _, ...plan } = planOf(older);
  return { ...older, planSha256: planSha256(plan) };
}

test('gives the arms of an older run a transport, and keeps an intact plan intact', () => {
  const run = upgradePlan(olderRun()) as RunRecord;
  assert.deepEqual(
    run.arms.map((arm) => ['via' in arm, arm.transport]),
    run.arms.map(() => [false, 'quic']),
  );
  assert.equal(run.formatVersion, FORMAT.formatVersion);
  assert.equal(problemOfDigest(planOf(run)), null);
});

test('still detects that an older plan was changed after it was frozen', () => {
  const run = upgradePlan({ ...olderRun(), seed: 99 }) as PlanRecord;
  assert.notEqual(problemOfDigest(planOf(run as RunRecord)), null);
});

test('passes what is no plan to the following checks', () => {
  for (const value of [null, [], 'run', { formatVersion: 5 }, { formatVersion: 5, arms: 3 }]) {
    assert.doesNotThrow(() => upgradePlan(value));
  }
});
