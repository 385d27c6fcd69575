import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PageLoad } from '../../../../experiments/page-load/details.ts';
import { FORMAT_MINOR, FORMAT_VERSION } from '../../../../ground/records/format.ts';
import type { LookRecord } from '../../../../ground/records/look.ts';
import { problemOfLook } from '../../../../ground/records/problems.ts';
import { summarise } from '../../../../report/summary/summary.ts';
import { hasUnseenLoads, spentMsOf, takeLook } from '../../../../runner/campaign/look.ts';
import { assertEach } from '../../assert-each.ts';
import { STOPPING } from '../../made-run.ts';
import { DELAYED, fixtureRun, NONE, spoil } from '../../report/fixture-run.ts';

const COLD = { variant: 'cold' };

/** A run of two conditions with the first `loads` made, with these times. */
function runAt(lastBlock: number, change: (load: PageLoad) => void = () => {}) {
  const { run, observations, invocations } = fixtureRun({
    subjects: ['a.example', 'b.example'],
    networks: [NONE, DELAYED],
    repetitions: 24,
    change: (load) => {
      // Clear in every respect.
      const factor = { 'lsquic-h3': 0.5, 'bun-h2': 1, 'flask-h1': 2 }[load.arm] ?? 1;
      load.metrics.pageLoadMs = 200 * factor + (load.order % 7);
      change(load);
    },
  });
  const plan = { ...run, stopping: { ...STOPPING, budgetMs: 100_000 } };
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
  const source = { plan, invocation: 'now', invocations, observations, before };
  const time = { elapsedMs, end, mayDecide: true };
  return takeLook(source, time, new Date('2026-11-22T10:00:00Z'));
}

/** Undecided times: as long as Bun's on average, and widely spread. */
const unclear = (load: PageLoad) => 128 + ((load.order * 7919) % 150);

test('ends a run in which everything is clear', () => {
  const run = runAt(12);
  const look = lookAt(run, 10_000);
  assert.deepEqual(look, {
    formatVersion: FORMAT_VERSION,
    formatMinor: FORMAT_MINOR,
    invocation: 'now',
    at: '2026-11-22T10:00:00.000Z',
    order: run.observations.at(-1)?.order,
    elapsedMs: 10_000,
    fraction: 12 / 24,
    decided: [
      { network: 'none', ...COLD },
      { network: '30ms', ...COLD },
    ],
    end: 'decided',
  });
  assert.equal(problemOfLook(look), null);
});

test('decides a condition when all of its answers are, and continues the run for the rest', () => {
  const { decided, end } = lookAt(
    runAt(12, (load) => {
      if (load.network.name === '30ms' && load.arm === 'flask-h1') {
        load.metrics.pageLoadMs = unclear(load);
      }
    }),
    10_000,
  );
  assert.deepEqual([decided, end], [[{ network: 'none', ...COLD }], null]);
});

test('does not decide a condition that has no loads yet', () => {
  const run = runAt(12);
  const observations = run.observations.filter(({ network }) => network.name === 'none');
  const { decided, end } = lookAt({ ...run, observations }, 10_000);
  assert.deepEqual([decided, end], [[{ network: 'none', ...COLD }], null]);
});

test('spends the error with the blocks made, not with their duration, and never falls', () => {
  const run = runAt(6);
  assert.equal(lookAt(run, 10_000).fraction, 0.25);
  assert.equal(lookAt(run, 200_000).fraction, 0.25);
  const before = [{ ...lookAt(runAt(3), 90_000), fraction: 0.9 }];
  assert.equal(lookAt(run, 10_000, null, before).fraction, 0.9);
});

test('decides nothing in a look that pays for a report of an interrupted run', () => {
  const { plan, invocations, observations } = runAt(6);
  const source = { plan, invocation: 'now', invocations, observations, before: [] };
  const look = takeLook(source, { elapsedMs: 10_000, end: null, mayDecide: false });
  assert.deepEqual([look.decided, look.end, look.fraction], [[], null, 0.25]);
  assert.equal(look.order, observations.at(-1)?.order);
  // The same level as the report had.
  const reported = summarise(plan, observations, [], { invocations }).primary;
  const paid = summarise(plan, observations, [], { invocations, looks: [look] }).primary;
  assert.deepEqual(
    paid.map(({ level, verdict }) => [level, verdict]),
    reported.map(({ level, verdict }) => [level, verdict]),
  );
});

test('spends as much in a run interrupted at every block as in one whole run', () => {
  const { plan, invocations, observations } = runAt(24, (load) => {
    load.metrics.pageLoadMs = unclear(load);
  });
  const ordered = numbered(observations);
  const looks: LookRecord[] = [];
  for (let block = 1; block <= 24; block++) {
    const source = { plan, invocation: 'now', invocations, before: [...looks] };
    const made = ordered.filter((load) => load.block <= block);
    const time = { elapsedMs: 1000 * block, end: block === 24 ? 'repetitions' : null } as const;
    looks.push(takeLook({ ...source, observations: made }, { ...time, mayDecide: block === 24 }));
  }
  assert.deepEqual(
    looks.map(({ fraction }) => Math.round(24 * fraction)),
    looks.map((_, index) => index + 1),
  );
  const levelAfter = (taken: readonly LookRecord[]) =>
    summarise(plan, ordered, [], { invocations, looks: taken }).primary[0]?.level ?? 0;
  const [often, once] = [levelAfter(looks), levelAfter(looks.slice(-1))];
  assert.ok(Math.abs(once - 0.05 / 4) < 1e-12);
  assert.ok(often > once / 10 && often < once / 2, `${often} of ${once}`);
});

test('takes the time of an interrupted run until its last load', () => {
  const { invocations, observations } = runAt(6);
  const [invocation] = invocations;
  assert.ok(invocation);
  const at = (ms: number) => new Date(Date.parse(invocation.startedAt) + ms).toISOString();
  const loads = observations.slice(0, 2).map((load, index) => ({
    ...load,
    order: index + 1,
    invocation: invocation.id,
    startedAt: at(1000 * (index + 1)),
    stepsMs: { load: 300, settle: 200 },
  }));
  const known = { invocations, observations: loads };
  assert.equal(spentMsOf({ ...known, looks: [] }), 2500);
  const filmed = loads.map((load, index) => ({ ...load, filmed: index === 0 }));
  assert.equal(spentMsOf({ ...known, observations: filmed, looks: [] }), 2500 - 500);
  assert.equal(hasUnseenLoads({ observations: filmed.slice(0, 1), looks: [] }), false);
  const look = { ...lookAt(runAt(6), 900), invocation: invocation.id, order: 1, at: at(1600) };
  assert.equal(spentMsOf({ ...known, looks: [look] }), 900 + 900);
  assert.equal(spentMsOf({ ...known, looks: [{ ...look, order: 2 }] }), 900);
  assert.equal(spentMsOf({ looks: [], invocations, observations: [] }), 0);
  assert.equal(hasUnseenLoads({ observations: loads, looks: [look] }), true);
  assert.equal(hasUnseenLoads({ observations: loads, looks: [{ ...look, order: 2 }] }), false);
  assert.equal(hasUnseenLoads({ observations: [], looks: [] }), false);
});

test('spends the rest of the error at the end of budget or repetitions', () => {
  const run = runAt(6, (load) => {
    load.metrics.pageLoadMs = unclear(load);
  });
  for (const end of ['budget', 'repetitions'] as const) {
    const look = lookAt(run, 10_000, end);
    assert.deepEqual([look.fraction, look.decided, look.end], [1, [], end]);
  }
  assert.equal(lookAt(runAt(12), 10_000, 'budget').end, 'decided', 'decided at the last moment');
});

test('can look at a run without loads', () => {
  const run = runAt(6);
  const look = lookAt({ ...run, observations: [] }, 5000, 'budget');
  assert.deepEqual([look.order, look.decided, look.end], [0, [], 'budget']);
});

test('decides as the report does from the same looks', () => {
  const run = runAt(12, (load) => {
    if (load.arm === 'lsquic-h3') load.metrics.pageLoadMs = unclear(load);
    if (load.arm === 'flask-h1' && load.repetition === 3) spoil(load, 'failed', 'timeout', '');
  });
  const looks: LookRecord[] = [];
  for (const last of [6, 12]) {
    const observations = run.observations.filter(({ block }) => block <= last);
    // In the runner's order: round by round.
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
  const decided = ['none', '30ms'].filter((network) =>
    primary.filter((one) => one.network === network).every((one) => one.decidedAfterPairs !== null),
  );
  assertEach(looks.at(-1)?.decided, ({ network }) => network, decided);
  assert.ok(primary.some(({ decidedAfterPairs }) => decidedAfterPairs !== null));
  assert.ok(primary.some(({ decidedAfterPairs }) => decidedAfterPairs === null));
});

/** Loads in the order of their blocks, with the block's number. */
function numbered(loads: readonly PageLoad[]): PageLoad[] {
  return loads
    .toSorted((a, b) => a.block - b.block || a.order - b.order)
    .map((load, index) => ({ ...load, order: index + 1 }));
}
