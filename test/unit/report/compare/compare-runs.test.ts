import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { CompareError, compareRuns } from '../../../../report/compare/compare-runs.ts';
import { comparePage } from '../../../../report/compare/page.ts';
import type { RunsComparison } from '../../../../report/compare/runs-comparison.ts';
import schema from '../../../../report/schemas/compare.schema.json' with { type: 'json' };
import { DELAYED, type Fixture, fixtureRun, NONE } from '../fixture-run.ts';
import { measured, SHARED_SITES, twoRuns } from './two-runs.ts';

const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema);

function compared(fixtures: readonly [Fixture, Fixture] = twoRuns()): RunsComparison {
  const comparison = compareRuns([measured(fixtures[0]), measured(fixtures[1])]);
  const read = JSON.parse(JSON.stringify(comparison));
  assert.ok(validate(read), JSON.stringify(validate.errors, null, 1));
  return comparison;
}

const h3 = ({ conditions }: RunsComparison) => conditions.map(({ stacks }) => stacks[0]);

test('a stack that got slower against the baseline is found, whatever the machines are', () => {
  const comparison = compared();
  assert.equal(comparison.conditions.length, 2);
  for (const stack of h3(comparison)) {
    assert.equal(stack?.stack, 'lsquic-h3');
    assert.equal(stack.nSites, 3);
    assert.deepEqual(
      stack.sites.map(({ site }) => site),
      SHARED_SITES,
    );
    for (const { change, verdict, nPairs } of stack.sites) {
      assert.deepEqual(nPairs, [8, 10]);
      assert.ok(change?.low && change.high && change.low > 1.1 && change.high < 1.55);
      assert.equal(verdict, 'higher');
    }
    assert.equal(stack.verdict, 'higher');
    assert.match(stack.sentence, /against Bun \(h2\) it did worse in the second run/);
  }
  // Nothing was done to Flask.
  for (const { stacks } of comparison.conditions) {
    assert.ok(Math.abs((stacks[1]?.change?.estimate ?? 0) - 1) < 0.15);
    assert.notEqual(stacks[1]?.verdict, 'higher');
  }
});

test('each run has the ratios and verdicts of its own report', () => {
  const fixtures = twoRuns();
  const comparison = compared(fixtures);
  for (const place of [0, 1] as const) {
    const { comparisons } = measured(fixtures[place]).summary;
    const [own] = comparisons.filter(
      ({ site, network, stack }) =>
        site === 'b.example' && network === '30ms' && stack === 'lsquic-h3',
    );
    const found = h3(comparison)[1]?.sites.find(({ site }) => site === 'b.example');
    assert.deepEqual(found?.ratios[place], own?.ratio);
    assert.equal(found?.verdicts[place], own?.verdict);
  }
});

test('the other way round, changes are reciprocal', () => {
  const [first, second] = twoRuns();
  const forth = h3(compared([first, second]))[0]?.change?.estimate ?? 0;
  const back = h3(compared([second, first]))[0]?.change?.estimate ?? 0;
  assert.ok(Math.abs(forth * back - 1) < 1e-9);
});

test('a run beside its like has no change: the same pairs give a factor of exactly 1', () => {
  const [first] = twoRuns();
  const [again] = twoRuns();
  for (const stack of h3(compared([first, again]))) {
    assert.equal(stack?.change?.estimate, 1);
    assert.ok(stack.sites.every(({ verdict }) => verdict === 'same' || verdict === 'cannot tell'));
  }
});

test('what differs, what only one has and pages that changed are named, and not compared', () => {
  const [first, second] = twoRuns();
  const changed = second.run.sites.find(({ site }) => site === 'c.example');
  assert.ok(changed);
  changed.manifestSha256 = 'cd'.repeat(32);
  second.run.versions.bun = '9.9.9';
  second.run.versions.extra = '1';
  second.run.choices.isolation = 'process';
  const { differences, onlyIn, otherPages, conditions } = compared([first, second]);
  const valuesOf = (fact: string) => differences.find((each) => each.fact === fact)?.values;
  assert.deepEqual(valuesOf('host.cpu'), ['Example CPU @ 2.40GHz', 'Another CPU']);
  assert.deepEqual(valuesOf('versions.bun'), ['1.4.5', '9.9.9']);
  assert.deepEqual(valuesOf('versions.extra'), [null, '1']);
  assert.deepEqual(valuesOf('choices.isolation'), ['context', 'process']);
  assert.deepEqual(valuesOf('repetitions'), ['8', '10']);
  assert.equal(valuesOf('host.kernel'), undefined);
  assert.deepEqual(onlyIn[0].sites, ['first.example']);
  assert.deepEqual(onlyIn[1].sites, ['second.example']);
  assert.deepEqual(otherPages, ['c.example']);
  assert.equal(conditions[0]?.stacks[0]?.sites.length, 2);
});

test('conditions are the same by their numbers, whatever their names', () => {
  const sites = ['a.example'];
  const first = fixtureRun({ sites, networks: [NONE, DELAYED], repetitions: 6 });
  const second = fixtureRun({
    sites,
    networks: [
      { ...DELAYED, name: 'slow' },
      { ...DELAYED, name: 'slower', rttMs: 80 },
    ],
    repetitions: 6,
  });
  const { conditions, onlyIn } = compared([first, second]);
  assert.deepEqual(
    conditions.map(({ names }) => names),
    [['30ms', 'slow']],
  );
  assert.deepEqual(onlyIn[0].conditions, ['no added delay']);
  assert.deepEqual(onlyIn[1].conditions, ['80 ms round-trip time added']);
  assert.ok(conditions[0]?.stacks[0]?.change?.low);
});

test('few or no pairs give no interval and no verdict', () => {
  const [first, second] = twoRuns(3);
  for (const load of second.pageLoads) if (load.site === 'a.example') load.outcome = 'invalid';
  const [stack] = h3(compared([first, second]));
  const [none, few] = stack?.sites ?? [];
  assert.equal(none?.change, null);
  assert.equal(none?.verdict, 'cannot tell');
  assert.ok(few?.change && few.change.low === null);
  assert.equal(stack?.nSites, 2);
});

test('runs with nothing in common are an error that says what they have', () => {
  const one = (change: (fixture: Fixture) => void) => {
    const fixture = fixtureRun({ sites: ['a.example'], networks: [NONE], repetitions: 2 });
    change(fixture);
    return fixture;
  };
  const first = one(() => {});
  const others: [Fixture, RegExp][] = [
    [
      fixtureRun({ sites: ['z.example'], repetitions: 1 }),
      /no site in common: a\.example; and z\.ex/,
    ],
    [
      fixtureRun({ sites: ['a.example'], networks: [DELAYED], repetitions: 1 }),
      /no condition in common: no added delay; and 30 ms/,
    ],
    [
      one(({ run }) => {
        for (const site of run.sites) site.manifestSha256 = 'ef'.repeat(32);
      }),
      /pages of a\.example were not the same/,
    ],
    [
      one(({ run, pageLoads }) => {
        for (const each of [...run.stacks, ...run.trials, ...pageLoads]) {
          if (each.stack !== 'bun-h2') each.stack = `other-${each.stack}`;
        }
        run.fairness.pairs = [];
      }),
      /no stack in common beside the baseline bun-h2/,
    ],
  ];
  for (const [other, reason] of others) {
    assert.throws(
      () => compareRuns([measured(first), measured(other)]),
      (error) => error instanceof CompareError && reason.test(error.message),
    );
  }
});

test('the page shows every site with both ratios and the change, and says that loads are never paired across runs', () => {
  const page = comparePage(compared());
  for (const site of SHARED_SITES) assert.match(page, new RegExp(`data-key="${site}"`));
  assert.match(page, /Loads of different runs are never paired/);
  assert.match(page, /made on different machines/);
  assert.match(page, /only the first run has: .*first\.example/);
  assert.equal(page.match(/<svg role="img"/g)?.length, 4);
});

test('hostile names are text', () => {
  const hostile = '"></title></style><script>alert(1)</script>';
  const [first, second] = twoRuns(2);
  for (const { run } of [first, second]) {
    run.host.cpu = hostile;
    run.versions[hostile] = run.startedAt;
    for (const stack of run.stacks) stack.label += hostile;
  }
  first.run.runId = hostile;
  const page = comparePage(compared([first, second]));
  assert.equal(page.match(/<script>/g)?.length, 1);
  assert.ok(!page.includes('alert(1)</script>'));
});
