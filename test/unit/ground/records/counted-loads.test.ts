import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type BlockLoad,
  countedAttempt,
  countedLoads,
} from '../../../../ground/records/counted-loads.ts';

const STACKS = ['lsquic-h3', 'bun-h2', 'flask-h1'];

function load(arm: string, changes: Partial<BlockLoad> = {}): BlockLoad {
  return { arm, outcome: 'ok', code: null, attempt: 1, invocation: 'first', ...changes };
}

const failed = (arm: string, code: string) => load(arm, { outcome: 'failed', code });

/** The stacks that count, and those that failed. */
function countedOf(made: BlockLoad[], machineOf?: (load: BlockLoad) => string | null) {
  const { ok, failed } = countedLoads(STACKS, made, machineOf);
  return { ok: [...ok.keys()], failed: [...failed.keys()] };
}

test('counts each load separately: a missing or invalid one drops no other', () => {
  assert.deepEqual(countedOf([load('lsquic-h3'), load('flask-h1')]), {
    ok: ['lsquic-h3', 'flask-h1'],
    failed: [],
  });
  const invalid = load('bun-h2', { outcome: 'invalid', code: 'wrong-protocol' });
  assert.deepEqual(countedOf([load('lsquic-h3'), invalid]), { ok: ['lsquic-h3'], failed: [] });
  assert.deepEqual(countedOf([]), { ok: [], failed: [] });
});

test('counts faults of a server or its page as failures, and not those of browser, path or bench', () => {
  for (const code of [
    'timeout',
    'navigation-failed',
    'request-failed',
    'server-failed',
    'earlier-load-failed',
    'given-up',
  ]) {
    assert.deepEqual(countedOf([failed('bun-h2', code)]), { ok: [], failed: ['bun-h2'] }, code);
  }
  // Nor faults of another stack's server.
  const codes = [
    'browser-failed',
    'network-failed',
    'other-server-failed',
    'given-up-broken',
    'unheard-of',
  ];
  for (const code of codes) {
    assert.deepEqual(countedOf([failed('bun-h2', code)]), { ok: [], failed: [] }, code);
  }
  // A missing resource makes a load invalid, and is its stack's failure; a wrong response is not.
  const broken = load('bun-h2', { outcome: 'invalid', code: 'request-failed' });
  assert.deepEqual(countedOf([broken]), { ok: [], failed: ['bun-h2'] });
});

test('drops a load that is there twice', () => {
  assert.deepEqual(countedOf([load('bun-h2'), load('bun-h2'), load('flask-h1')]), {
    ok: ['flask-h1'],
    failed: [],
  });
});

test('counts the first complete attempt, with any results, else the one with the most loads', () => {
  const attempt = (number: number, ...loads: BlockLoad[]) =>
    loads.map((each) => ({ ...each, attempt: number }));
  const [one, two, three] = STACKS.map((arm) => load(arm));
  assert.ok(one && two && three);
  const counted = (...made: BlockLoad[]) =>
    countedAttempt(STACKS, made).map((each) => each.attempt);
  const whole = attempt(2, one, failed('bun-h2', 'timeout'), three);
  assert.deepEqual(
    counted(...attempt(3, one, two, three), ...whole, ...attempt(1, one, two)),
    [2, 2, 2],
  );
  assert.deepEqual(counted(...attempt(1, one), ...attempt(2, one, two)), [2, 2]);
  assert.deepEqual(counted(...attempt(2, one), ...attempt(1, two)), [1]);
  assert.deepEqual(countedOf([...whole, ...attempt(3, one, two, three)]), {
    ok: ['lsquic-h3', 'flask-h1'],
    failed: ['bun-h2'],
  });
});

test('never joins loads of several machines, and ignores uncounted ones', () => {
  const machineOf = ({ invocation }: BlockLoad) => invocation;
  const elsewhere = load('flask-h1', { invocation: 'second' });
  const torn = [load('lsquic-h3'), elsewhere];
  assert.deepEqual(countedOf(torn, machineOf), { ok: [], failed: [] });
  assert.equal(countedLoads(STACKS, torn, machineOf).onSeveralMachines, true);
  const failedElsewhere = [
    load('lsquic-h3'),
    { ...failed('bun-h2', 'timeout'), invocation: 'second' },
  ];
  assert.deepEqual(countedOf(failedElsewhere, machineOf), { ok: [], failed: [] });
  assert.equal(countedLoads(STACKS, failedElsewhere, machineOf).onSeveralMachines, true);
  const brokenElsewhere = [
    load('lsquic-h3'),
    { ...failed('bun-h2', 'browser-failed'), invocation: 'second' },
  ];
  assert.deepEqual(countedOf(brokenElsewhere, machineOf), { ok: ['lsquic-h3'], failed: [] });
  assert.equal(countedLoads(STACKS, brokenElsewhere, machineOf).onSeveralMachines, false);
});
