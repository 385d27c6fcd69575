import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Trial } from '../../../../ground/records/run.ts';
import { countFaults, FaultsError, type LoadOutcome } from '../../../../runner/campaign/faults.ts';
import { makeSchedule } from '../../../../runner/schedule.ts';
import { DELAYED, NONE } from '../../report/fixture-run.ts';

const SITES = ['a.test', 'b.test', 'c.test', 'd.test'];
const TRIALS = makeSchedule({
  subjects: SITES,
  arms: ['lsquic-h3', 'bun-h2'],
  networks: [NONE, DELAYED],
  factors: { visit: ['cold'] },
  repetitions: 1,
  order: 'shuffled',
  seed: 1,
});

interface Like {
  subject?: string;
  arm?: string;
  network?: string;
}

function trialOf(like: Like): Trial {
  const { subject = 'a.test', arm = 'bun-h2', network = 'none' } = like;
  return TRIALS.find(
    (each) => each.subject === subject && each.arm === arm && each.network.name === network,
  ) as Trial;
}

/** A load of the first planned cell like this. */
function load(
  like: Like,
  code: string | null = null,
  outcome: LoadOutcome['outcome'] = code === null ? 'ok' : 'failed',
): LoadOutcome {
  const planned = trialOf(like);
  const requested = { ...planned.network, backend: 'userspace', measuredRttMs: null } as const;
  const message = code && `It ${code}.`;
  return { ...planned, network: requested, outcome, code, message };
}

function errorOf(act: () => void): FaultsError {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof FaultsError);
    return error;
  }
  return assert.fail('it went on');
}

const [H3, H2] = [{ arm: 'lsquic-h3' }, { arm: 'bun-h2' }];

function notes(limit: number, ...loads: readonly LoadOutcome[]) {
  const faults = countFaults(limit, TRIALS);
  for (const each of loads) faults.note(each);
  return faults;
}

test('pauses a cell after repeated failures, and gives it up when another load works', () => {
  const faults = notes(3, ...Array.from({ length: 3 }, () => load(H3, 'timeout')));
  assert.ok(faults.isPaused(trialOf(H3)));
  assert.equal(faults.obstacleTo(load(H3)), null);
  faults.note(load(H2));
  const { code, message } = faults.obstacleTo(load(H3)) ?? {};
  assert.equal(code, 'given-up');
  assert.match(
    message ?? '',
    /3 attempts in a row \(warm-ups included\) of a\.test by lsquic-h3 over network none had failed \(timeout\).*It timeout\./,
  );
  for (const other of [H2, { ...H3, network: '30ms' }, { ...H3, subject: 'b.test' }]) {
    assert.ok(!faults.isPaused(trialOf(other)), JSON.stringify(other));
  }
});

test('keeps an arm as long as one of its cells is not paused', () => {
  const faults = notes(2, ...[H3, H3].map((each) => load(each, 'timeout')));
  const onA = TRIALS.filter(({ subject }) => subject === 'a.test');
  assert.deepEqual(faults.armsLeft(onA), new Set(['lsquic-h3', 'bun-h2']));
  assert.deepEqual(
    faults.armsLeft(onA.filter(({ network }) => network.name === 'none')),
    new Set(['bun-h2']),
  );
});

test('restarts only the count of its own cell after a success or an invalid load', () => {
  for (const between of [load(H3), load(H3, 'resumed', 'invalid')]) {
    const faults = notes(2, load(H3, 'timeout'), between, load(H3, 'timeout'));
    assert.ok(!faults.isPaused(trialOf(H3)));
  }
  const faults = notes(2, load(H3, 'timeout'), load(H2), load(H3, 'timeout'), load(H2));
  assert.ok(faults.obstacleTo(load(H3)));
});

test('does not take an impossible load as evidence for page or path', () => {
  const cannot = load({ ...H3, network: '30ms' }, 'udp-blocked', 'unsupported');
  const faults = notes(2, load(H2, 'timeout'), load(H2, 'timeout'), cannot);
  assert.equal(faults.obstacleTo(load(H2)), null);
  faults.note(load(H3));
  assert.ok(faults.obstacleTo(load(H2)));
});

test('restarts the count of a cell after a failure with another code', () => {
  const faults = notes(3, ...['timeout', 'timeout', 'server-failed'].map((code) => load(H3, code)));
  assert.ok(!faults.isPaused(trialOf(H3)));
  for (const code of ['timeout', 'timeout']) {
    faults.note(load(H3, code));
    assert.ok(!faults.isPaused(trialOf(H3)));
  }
  faults.note(load(H3, 'timeout'));
  faults.note(load(H2));
  const { message } = faults.obstacleTo(load(H3)) ?? {};
  assert.match(message ?? '', /because 3 attempts in a row .* had failed \(timeout\)/);
});

test('ends a cell with failures of changing codes after twice as many', () => {
  const codes = ['timeout', 'server-failed', 'timeout', 'server-failed', 'timeout'];
  const faults = notes(3, ...codes.map((code) => load(H3, code)));
  assert.ok(!faults.isPaused(trialOf(H3)));
  faults.note(load(H3, 'server-failed'));
  assert.ok(faults.isPaused(trialOf(H3)));
  faults.note(load(H2));
  const { message } = faults.obstacleTo(load(H3)) ?? {};
  assert.match(message ?? '', /because 6 attempts in a row .* \(timeout, server-failed\)/);
});

test('does not attribute failures of browser, path or bench to the stack', () => {
  const given = (...codes: readonly string[]) =>
    notes(2, ...codes.map((code) => load(H3, code)), load(H2)).obstacleTo(load(H3))?.code;
  assert.equal(given('timeout', 'page-crashed', 'timeout', 'page-crashed'), 'given-up-broken');
  assert.equal(given('timeout', 'server-failed', 'timeout', 'server-failed'), 'given-up');
  assert.equal(given('page-crashed', 'timeout', 'timeout'), 'given-up');
});

test('ends nothing because of invalid loads alone', () => {
  const faults = notes(1, ...Array.from({ length: 10 }, () => load(H3, 'resumed', 'invalid')));
  assert.ok(!faults.isPaused(trialOf(H3)));
});

test('stops the run when a page that loaded before fails by all stacks, with reason and remedy', () => {
  const faults = notes(2, load(H3), load(H3, 'timeout'), load(H3, 'timeout'), load(H2, 'timeout'));
  const { message, exitStatus } = errorOf(() => faults.note(load(H2, 'timeout')));
  assert.match(message, /^4 attempts in a row failed in the same way \(timeout\)/);
  assert.match(message, /It timeout\./);
  assert.match(message, /--resume.*--stop-after/);
  assert.equal(exitStatus, 6);
  // A page that never loaded may itself be the cause.
  notes(2, ...[H3, H3, H2, H2].map((each) => load(each, 'timeout')));
});

test('stops the run when enough pages in a row are paused, and not before', () => {
  const rest = (subject: string) =>
    [H3, H3, H3, H2, H2, H2].map((each) => load({ ...each, subject }, 'timeout'));
  const faults = notes(3, ...rest('a.test'), ...rest('b.test'));
  const [first, second, third] = rest('c.test') as [LoadOutcome, LoadOutcome, LoadOutcome];
  faults.note(first);
  faults.note(second);
  errorOf(() => faults.note(third));
  notes(3, ...rest('a.test'), ...rest('b.test'), load({ subject: 'd.test' }), ...rest('c.test'));
});

test('stops the run for a failing path: on all networks, or on one while the rest works', () => {
  const broken = (network: string) => load({ network }, 'network-failed');
  const all = notes(3, broken('none'), broken('30ms'));
  assert.equal(errorOf(() => all.note(broken('none'))).exitStatus, 5);
  const one = notes(3, broken('30ms'), load(H2), broken('30ms'), load(H3));
  assert.equal(errorOf(() => one.note(broken('30ms'))).exitStatus, 5);
  assert.ok(!one.isPaused(trialOf({ network: '30ms' })), 'it is no cell that fails');
  notes(3, broken('none'), broken('none'), load(H2), broken('none'));
});

test('gives up paused cells when only these are left and anything has worked, else stops the run', () => {
  const nothing = notes(1 + 1, load(H3, 'server-failed'), load(H3, 'server-failed'));
  assert.equal(errorOf(() => nothing.decide()).exitStatus, 4);
  const other = { ...H3, subject: 'b.test' };
  const some = notes(2, load(H2), load(other, 'timeout'), load(other, 'timeout'));
  assert.equal(some.obstacleTo(load(other)), null);
  some.decide();
  assert.equal(some.obstacleTo(load(other))?.code, 'given-up');
});

test('keeps earlier give-ups, unless more failures are allowed now, and forgets other failures', async () => {
  const earlier = [
    ...Array.from({ length: 3 }, () => load(H3, 'timeout')),
    load(H3, 'given-up'),
    ...Array.from({ length: 3 }, () => load(H2, 'timeout')),
  ];
  const resumed = async (limit: number) => {
    const faults = countFaults(limit, TRIALS);
    await faults.resume(
      (async function* () {
        yield* earlier;
      })(),
    );
    return faults;
  };
  const same = await resumed(3);
  assert.match(same.obstacleTo(load(H3))?.message ?? '', /^Not made, because 3 attempts in a row/);
  assert.ok(!same.isPaused(trialOf(H2)));
  const more = await resumed(4);
  assert.ok(!more.isPaused(trialOf(H3)));
  more.note(load(H3, 'timeout'));
  assert.ok(more.isPaused(trialOf(H3)));
});

test('counts failures of existing hosts separately: requests all of them again after any failure', () => {
  const faults = countFaults(2, TRIALS, { live: 'hosts' });
  for (const subject of SITES) {
    for (const arm of [H3, H2]) {
      for (let time = 0; time < 2; time++)
        faults.note(load({ subject, ...arm }, 'handshake-failed'));
      assert.ok(!faults.isPaused(trialOf({ subject, ...arm })));
    }
  }
  faults.decide();
});

test('counts failures of live pages separately, and gives them up to avoid useless requests', () => {
  const faults = countFaults(2, TRIALS, { live: 'pages' });
  for (const subject of SITES) {
    for (let time = 0; time < 2; time++) {
      assert.ok(!faults.isPaused(trialOf({ subject, ...H3 })));
      faults.note(load({ subject, ...H3 }, 'navigation-failed'));
    }
    assert.ok(faults.isPaused(trialOf({ subject, ...H3 })));
    assert.ok(!faults.isPaused(trialOf({ subject, ...H2 })));
  }
  // Nothing has worked, and the run still continues to its end.
  faults.decide();
  for (const subject of SITES) {
    assert.equal(faults.obstacleTo(trialOf({ subject, ...H3 }))?.code, 'given-up');
  }
});
