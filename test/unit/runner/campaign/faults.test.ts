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
  const asked = { ...planned.network, backend: 'userspace', measuredRttMs: null } as const;
  const message = code && `It ${code}.`;
  return { ...planned, network: asked, outcome, code, message };
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

test('a cell that failed so many times in a row rests, and is given up when another load works', () => {
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

test('an arm is left as long as one of its cells does not rest', () => {
  const faults = notes(2, ...[H3, H3].map((each) => load(each, 'timeout')));
  const onA = TRIALS.filter(({ subject }) => subject === 'a.test');
  assert.deepEqual(faults.armsLeft(onA), new Set(['lsquic-h3', 'bun-h2']));
  assert.deepEqual(
    faults.armsLeft(onA.filter(({ network }) => network.name === 'none')),
    new Set(['bun-h2']),
  );
});

test('what works in between, or is only invalid, begins the count of its cell anew, and of no other', () => {
  for (const between of [load(H3), load(H3, 'resumed', 'invalid')]) {
    const faults = notes(2, load(H3, 'timeout'), between, load(H3, 'timeout'));
    assert.ok(!faults.isPaused(trialOf(H3)));
  }
  const faults = notes(2, load(H3, 'timeout'), load(H2), load(H3, 'timeout'), load(H2));
  assert.ok(faults.obstacleTo(load(H3)));
});

test('what cannot be done at all proves no page and no path to be sound', () => {
  const cannot = load({ ...H3, network: '30ms' }, 'udp-blocked', 'unsupported');
  const faults = notes(2, load(H2, 'timeout'), load(H2, 'timeout'), cannot);
  assert.equal(faults.obstacleTo(load(H2)), null);
  faults.note(load(H3));
  assert.ok(faults.obstacleTo(load(H2)));
});

test('a failure of another code begins the count of its cell anew', () => {
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

test('failures of changing codes end a cell too, when they are twice as many', () => {
  const codes = ['timeout', 'server-failed', 'timeout', 'server-failed', 'timeout'];
  const faults = notes(3, ...codes.map((code) => load(H3, code)));
  assert.ok(!faults.isPaused(trialOf(H3)));
  faults.note(load(H3, 'server-failed'));
  assert.ok(faults.isPaused(trialOf(H3)));
  faults.note(load(H2));
  const { message } = faults.obstacleTo(load(H3)) ?? {};
  assert.match(message ?? '', /because 6 attempts in a row .* \(timeout, server-failed\)/);
});

test('what browser, path or bench broke is not put down to the stack', () => {
  const given = (...codes: readonly string[]) =>
    notes(2, ...codes.map((code) => load(H3, code)), load(H2)).obstacleTo(load(H3))?.code;
  assert.equal(given('timeout', 'page-crashed', 'timeout', 'page-crashed'), 'given-up-broken');
  assert.equal(given('timeout', 'server-failed', 'timeout', 'server-failed'), 'given-up');
  assert.equal(given('page-crashed', 'timeout', 'timeout'), 'given-up');
});

test('invalid loads alone end nothing', () => {
  const faults = notes(1, ...Array.from({ length: 10 }, () => load(H3, 'resumed', 'invalid')));
  assert.ok(!faults.isPaused(trialOf(H3)));
});

test('the run stops when a page that loaded before fails by all stacks, with the reason and what to do', () => {
  const faults = notes(2, load(H3), load(H3, 'timeout'), load(H3, 'timeout'), load(H2, 'timeout'));
  const { message, exitStatus } = errorOf(() => faults.note(load(H2, 'timeout')));
  assert.match(message, /^4 attempts in a row failed in the same way \(timeout\)/);
  assert.match(message, /It timeout\./);
  assert.match(message, /--resume.*--stop-after/);
  assert.equal(exitStatus, 6);
  // One that never loaded may be to blame itself.
  notes(2, ...[H3, H3, H2, H2].map((each) => load(each, 'timeout')));
});

test('the run stops when so many pages in a row rest, and fewer do not stop it', () => {
  const rest = (subject: string) =>
    [H3, H3, H3, H2, H2, H2].map((each) => load({ ...each, subject }, 'timeout'));
  const faults = notes(3, ...rest('a.test'), ...rest('b.test'));
  const [first, second, third] = rest('c.test') as [LoadOutcome, LoadOutcome, LoadOutcome];
  faults.note(first);
  faults.note(second);
  errorOf(() => faults.note(third));
  notes(3, ...rest('a.test'), ...rest('b.test'), load({ subject: 'd.test' }), ...rest('c.test'));
});

test('a path that fails stops the run: on all networks, or on one while others work', () => {
  const broken = (network: string) => load({ network }, 'network-failed');
  const all = notes(3, broken('none'), broken('30ms'));
  assert.equal(errorOf(() => all.note(broken('none'))).exitStatus, 5);
  const one = notes(3, broken('30ms'), load(H2), broken('30ms'), load(H3));
  assert.equal(errorOf(() => one.note(broken('30ms'))).exitStatus, 5);
  assert.ok(!one.isPaused(trialOf({ network: '30ms' })), 'it is no cell that fails');
  notes(3, broken('none'), broken('none'), load(H2), broken('none'));
});

test('when nothing is left but cells that rest, they are given up where anything has worked, else the run stops', () => {
  const nothing = notes(1 + 1, load(H3, 'server-failed'), load(H3, 'server-failed'));
  assert.equal(errorOf(() => nothing.decide()).exitStatus, 4);
  const other = { ...H3, subject: 'b.test' };
  const some = notes(2, load(H2), load(other, 'timeout'), load(other, 'timeout'));
  assert.equal(some.obstacleTo(load(other)), null);
  some.decide();
  assert.equal(some.obstacleTo(load(other))?.code, 'given-up');
});

test('what an earlier invocation gave up stays so, unless more failures are allowed now; other failures are forgotten', async () => {
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

test('hosts that are there already fail each for itself: all are asked again, whatever failed', () => {
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

test('live pages fail each for itself, and are given up, so that nobody is asked in vain again and again', () => {
  const faults = countFaults(2, TRIALS, { live: 'pages' });
  for (const subject of SITES) {
    for (let time = 0; time < 2; time++) {
      assert.ok(!faults.isPaused(trialOf({ subject, ...H3 })));
      faults.note(load({ subject, ...H3 }, 'navigation-failed'));
    }
    assert.ok(faults.isPaused(trialOf({ subject, ...H3 })));
    assert.ok(!faults.isPaused(trialOf({ subject, ...H2 })));
  }
  // Nothing has worked, and the run goes on to its end all the same.
  faults.decide();
  for (const subject of SITES) {
    assert.equal(faults.obstacleTo(trialOf({ subject, ...H3 }))?.code, 'given-up');
  }
});
