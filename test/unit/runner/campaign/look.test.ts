import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PageLoad } from '../../../../experiments/page-load/details.ts';
import { FORMAT_MINOR, FORMAT_VERSION } from '../../../../records/format.ts';
import type { LookRecord } from '../../../../records/look.ts';
import { problemOfLook } from '../../../../records/problems.ts';
import type { StoppingRule } from '../../../../records/run.ts';
import { summarise } from '../../../../report/summary/summary.ts';
import { takeLook } from '../../../../runner/campaign/look.ts';
import { DELAYED, fixtureRun, NONE, spoil } from '../../report/fixture-run.ts';

const STOPPING: StoppingRule = {
  rule: 'pocock-spending',
  alpha: 0.05,
  budgetMs: 100_000,
  blocksPerLook: 6,
};

const COLD = { variant: 'cold' };

/** A run of two conditions of which `loads` are made so far, with times as asked. */
function runAt(lastBlock: number, change: (load: PageLoad) => void = () => {}) {
  const { run, observations, invocations } = fixtureRun({
    subjects: ['a.example', 'b.example'],
    networks: [NONE, DELAYED],
    repetitions: 24,
    change: (load) => {
      // Clear on all counts.
      const factor = { 'lsquic-h3': 0.5, 'bun-h2': 1, 'flask-h1': 2 }[load.arm] ?? 1;
      load.metrics.pageLoadMs = 200 * factor + (load.order % 7);
      change(load);
    },
  });
  const plan = { ...run, stopping: STOPPING };
  return {
    plan,
    invocations,
    observations: observations.filter(({ block }) => block <= lastBlock),
  };
}

function lookAt(
  { plan, invocations, observations }: ReturnType<typeof runAt>,
  elapsedMs: number,
  end: 'budget' | 'repetitions' | null = null,
  before: LookRecord[] = [],
): LookRecord {
  const source = { plan, stopping: STOPPING, invocation: 'now', invocations, observations, before };
  return takeLook(source, elapsedMs, end, new Date('2026-11-22T10:00:00Z'));
}

/** A time that tells nothing: as long as Bun's on average, and wide apart. */
const unclear = (load: PageLoad) => 128 + ((load.order * 7919) % 150);

test('a look at a run of which everything is clear ends it', () => {
  const run = runAt(6);
  const look = lookAt(run, 10_000);
  assert.deepEqual(look, {
    formatVersion: FORMAT_VERSION,
    formatMinor: FORMAT_MINOR,
    invocation: 'now',
    at: '2026-11-22T10:00:00.000Z',
    order: run.observations.at(-1)?.order,
    elapsedMs: 10_000,
    fraction: 6 / 24,
    told: [
      { network: 'none', ...COLD },
      { network: '30ms', ...COLD },
    ],
    end: 'told',
  });
  assert.equal(problemOfLook(look), null);
});

test('a condition is told when all of its answers are, and the run goes on for the others', () => {
  const { told, end } = lookAt(
    runAt(6, (load) => {
      if (load.network.name === '30ms' && load.arm === 'flask-h1') {
        load.metrics.pageLoadMs = unclear(load);
      }
    }),
    10_000,
  );
  assert.deepEqual([told, end], [[{ network: 'none', ...COLD }], null]);
});

test('a condition that has no loads yet is not told', () => {
  const run = runAt(6);
  const observations = run.observations.filter(({ network }) => network.name === 'none');
  const { told, end } = lookAt({ ...run, observations }, 10_000);
  assert.deepEqual([told, end], [[{ network: 'none', ...COLD }], null]);
});

test('the error is spent as fast as the budget or the repetitions are, whichever is faster, and never falls', () => {
  const run = runAt(6);
  assert.equal(lookAt(run, 10_000).fraction, 0.25);
  assert.equal(lookAt(run, 60_000).fraction, 0.6);
  assert.equal(lookAt(run, 200_000).fraction, 1);
  assert.equal(lookAt(run, 10_000, null, [{ ...lookAt(runAt(3), 90_000) }]).fraction, 0.9);
});

test('at the end of budget or repetitions the rest of the error is spent', () => {
  const run = runAt(6, (load) => {
    load.metrics.pageLoadMs = unclear(load);
  });
  for (const end of ['budget', 'repetitions'] as const) {
    const look = lookAt(run, 10_000, end);
    assert.deepEqual([look.fraction, look.told, look.end], [1, [], end]);
  }
  assert.equal(lookAt(runAt(6), 10_000, 'budget').end, 'told', 'told at the last moment is told');
});

test('a run that has made nothing can be looked at', () => {
  const run = runAt(6);
  const look = lookAt({ ...run, observations: [] }, 5000, 'budget');
  assert.deepEqual([look.order, look.told, look.end], [0, [], 'budget']);
});

test('what a look tells is what the report says of the same looks', () => {
  const run = runAt(12, (load) => {
    if (load.arm === 'lsquic-h3') load.metrics.pageLoadMs = unclear(load);
    if (load.arm === 'flask-h1' && load.repetition === 3) spoil(load, 'failed', 'timeout', '');
  });
  const looks: LookRecord[] = [];
  for (const last of [6, 12]) {
    const observations = run.observations.filter(({ block }) => block <= last);
    // As the runner makes them: round by round.
    looks.push(
      lookAt(
        { ...run, observations: numbered(observations) },
        4000 * last,
        last === 12 ? 'budget' : null,
        [...looks],
      ),
    );
  }
  const { primary } = summarise(run.plan, numbered(run.observations), [], {
    invocations: run.invocations,
    looks,
  });
  const told = ['none', '30ms'].filter((network) =>
    primary.filter((one) => one.network === network).every((one) => one.toldAfterPairs !== null),
  );
  assert.deepEqual(
    looks.at(-1)?.told.map(({ network }) => network),
    told,
  );
  assert.ok(primary.some(({ toldAfterPairs }) => toldAfterPairs !== null));
  assert.ok(primary.some(({ toldAfterPairs }) => toldAfterPairs === null));
});

/** Loads in the order of their blocks, numbered by it. */
function numbered(loads: readonly PageLoad[]): PageLoad[] {
  return loads
    .toSorted((a, b) => a.block - b.block || a.order - b.order)
    .map((load, index) => ({ ...load, order: index + 1 }));
}
