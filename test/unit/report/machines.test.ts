import assert from 'node:assert/strict';
import { test } from 'node:test';
import { machinesOf } from '../../../report/summary/machines.ts';
import { wordsOf } from '../approve.ts';
import { fixtureRun, NONE, spoil } from './fixture-run.ts';
import { documentOf, summaryOf } from './reported.ts';
import { runOnTwoMachines } from './several-machines.ts';

const OPTIONS = { subjects: ['a.example', 'b.example'], networks: [NONE], repetitions: 8 };

test('never pairs a block with loads of two machines, and reports the number of such blocks', async () => {
  const whole = summaryOf(runOnTwoMachines(undefined, OPTIONS));
  assert.equal(whole.comparisons[0]?.nPairs, 8);
  assert.doesNotMatch(whole.warnings.join(), /excluded/);
  const torn = runOnTwoMachines(
    ({ block, subject, arm }) =>
      subject === 'a.example' && block <= 2 && arm === 'bun-h2' ? 1 : 0,
    OPTIONS,
  );
  const { comparisons, warnings, exclusions } = summaryOf(torn);
  assert.deepEqual(
    comparisons.map(({ subject, nPairs }) => [subject, nPairs]),
    [
      ['a.example', 6],
      ['a.example', 6],
      ['b.example', 8],
      ['b.example', 8],
    ],
  );
  assert.equal(exclusions.blocks.nBroken, 2);
  assert.match(warnings.join(), /2 blocks with loads of several machines are excluded/);
  assert.match(
    wordsOf((await documentOf(torn)).body),
    /Excluded: ok, but the block was measured on several machines, or twice\./,
  );
});

test('answers each machine from its own blocks only', () => {
  const fixture = runOnTwoMachines(undefined, OPTIONS);
  // On the second machine lsquic is twice as fast, on the first one twice as slow.
  for (const load of fixture.observations) {
    const isSecond = load.invocation.endsWith('barn');
    const pageLoadMs = 100 * (load.arm === 'lsquic-h3' ? (isSecond ? 0.5 : 2) : 1);
    load.metrics = { ...load.metrics, pageLoadMs };
  }
  const { machines, primary } = summaryOf(fixture);
  assert.deepEqual(
    machines.map(({ machine, nSites, nCounted, primary: own }) => {
      const found = own.find(({ arm }) => arm === 'lsquic-h3');
      return [machine, nSites, nCounted, found?.nPairs, found?.ratio?.estimate.toFixed(3)];
    }),
    [
      ['bench', 2, 24, 8, '2.000'],
      ['barn', 2, 24, 8, '0.500'],
    ],
  );
  const together = primary.find(({ arm }) => arm === 'lsquic-h3');
  assert.equal(together?.nPairs, 16);
  assert.equal(together?.ratio?.estimate.toFixed(3), '1.000');
});

test('warns whether machines are mixed within a site or separate sites', () => {
  const mixed = summaryOf(runOnTwoMachines(undefined, OPTIONS));
  assert.match(mixed.warnings.join(), /2 machines \(bench, barn\).*one site mix the machines/);
  const bySite = summaryOf(
    runOnTwoMachines(({ subject }) => (subject === 'a.example' ? 0 : 1), OPTIONS),
  );
  assert.match(bySite.warnings.join(), /Each site was measured on one machine only/);
});

test('has no warning and no separate answers for one machine', () => {
  const { warnings, machines } = summaryOf(fixtureRun(OPTIONS));
  assert.deepEqual(warnings, []);
  assert.deepEqual(
    machines.map(({ machine, nLoads, nCounted, primary }) => [machine, nLoads, nCounted, primary]),
    [['bench', 54, 48, []]],
  );
});

test('treats a machine that changed between two invocations as another one; its load does not matter', () => {
  const [invocation] = fixtureRun().invocations;
  assert.ok(invocation);
  const busy = { ...invocation, id: '2', host: { ...invocation.host, loadAverage1m: 7 } };
  const updated = {
    ...invocation,
    id: '3',
    versions: { ...invocation.versions, chromium: '157.0' },
  };
  const edited = { ...invocation, id: '4', revision: { commit: null, dirty: null } };
  assert.deepEqual(
    machinesOf([invocation, busy, updated, edited]).map(({ machine, invocations }) => [
      machine,
      invocations,
    ]),
    [
      ['bench', [invocation.id, '2']],
      ['bench (2)', ['3']],
      ['bench (3)', ['4']],
    ],
  );
});

test('warns of an invocation that continued despite a change, with the change', () => {
  const fixture = fixtureRun(OPTIONS);
  const [invocation] = fixture.invocations;
  assert.ok(invocation);
  invocation.differences = ['chromium is 157.0; it was 156.0.'];
  assert.match(
    summaryOf(fixture).warnings.join(),
    /on bench although it was not as it began: chromium is 157\.0; it was 156\.0\./,
  );
});

test('accepts loads over two backends if their invocations say so, and rejects them otherwise', () => {
  const fixture = runOnTwoMachines(undefined, OPTIONS);
  const [, barn] = fixture.invocations;
  assert.ok(barn);
  barn.backend = 'netem';
  assert.throws(() => summaryOf(fixture), /over the backend userspace, expected netem/);
  for (const load of fixture.observations) {
    if (load.invocation === barn.id) load.network.backend = 'netem';
  }
  const summary = summaryOf(fixture);
  assert.deepEqual(
    [summary.networks[0]?.backend, summary.rows[0]?.network.backend],
    ['mixed', 'mixed'],
  );
  const [load] = fixture.observations;
  assert.ok(load);
  load.invocation = 'of-nobody';
  assert.throws(
    () => summaryOf(fixture),
    /invocation of-nobody, which invocations\.jsonl does not have/,
  );
});

test('has a section of machines only when there are several', async () => {
  const fixture = runOnTwoMachines(undefined, OPTIONS);
  const section = (await documentOf(fixture)).querySelector('[aria-labelledby=machines]');
  const text = section?.textContent ?? '';
  assert.match(text, /bench.*0\.1\.0 \(commit 1a2b3c4d5e1a\).*Another CPU @ 3\.00GHz/s);
  assert.match(text, /all together/);
  assert.equal(section?.querySelectorAll('table').length, 2);
  assert.equal((await documentOf(fixtureRun(OPTIONS))).querySelector('#machines'), null);
});

test('counts a block with an invalid load among those that mix machines within a site', () => {
  const fixture = runOnTwoMachines(undefined, OPTIONS);
  for (const load of fixture.observations) {
    // Never whole on the second machine.
    if (load.block % 2 === 1 && load.arm === 'flask-h1') spoil(load, 'failed', 'timeout', 'late');
  }
  assert.match(summaryOf(fixture).warnings.join(), /one site mix the machines/);
});
