import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schemaCheck } from '../../../../ground/records/schema-check.ts';
import { comparePage } from '../../../../report/sections/compare-page.ts';
import { CompareError, compareRuns } from '../../../../report/summary/compare-runs.ts';
import { stackNamed } from '../../../../report/summary/primary-questions.ts';
import {
  type RunsComparison,
  runsComparisonSchema,
} from '../../../../report/summary/runs-comparison.ts';
import { runsText } from '../../../../report/text/answers.ts';
import { closed } from '../../closed-schema.ts';
import { DELAYED, type Fixture, fixtureRun, NONE, ONE_SITE } from '../fixture-run.ts';
import { measured, SHARED_SITES, twoRuns } from '../two-runs.ts';

const problemOf = schemaCheck(closed(runsComparisonSchema));

function compared(fixtures: readonly [Fixture, Fixture] = twoRuns()): RunsComparison {
  const comparison = compareRuns([measured(fixtures[0]), measured(fixtures[1])]);
  const read = JSON.parse(JSON.stringify(comparison));
  assert.equal(problemOf(read), null);
  return comparison;
}

const h3 = ({ conditions }: RunsComparison) => conditions.map(({ arms }) => arms[0]);

test('finds a stack that got slower against the baseline, on different machines', () => {
  const comparison = compared();
  assert.equal(comparison.conditions.length, 2);
  for (const arm of h3(comparison)) {
    assert.equal(arm?.arm, 'lsquic-h3');
    assert.equal(arm.nSites, 3);
    assert.deepEqual(
      arm.subjects.map(({ subject }) => subject),
      SHARED_SITES,
    );
    for (const { ratio, verdict, nPairs } of arm.subjects) {
      assert.deepEqual(nPairs, [8, 10]);
      assert.ok(ratio?.low && ratio.high && ratio.low > 1.1 && ratio.high < 1.55);
      assert.equal(verdict, 'slower');
    }
    assert.equal(arm.verdict, 'slower');
    assert.match(runsText(arm, comparison), /comes off \d+ % worse than Bun \(h2\)/);
  }
  // Flask is unchanged.
  for (const { arms } of comparison.conditions) {
    assert.ok(Math.abs((arms[1]?.ratio?.estimate ?? 0) - 1) < 0.15);
    assert.notEqual(arms[1]?.verdict, 'slower');
  }
});

test('gives each run the ratios and verdicts of its own report', () => {
  const fixtures = twoRuns();
  const comparison = compared(fixtures);
  for (const place of [0, 1] as const) {
    const { comparisons } = measured(fixtures[place]).summary;
    const [own] = comparisons.filter(
      ({ subject, network, arm }) =>
        subject === 'b.example' && network === '30ms' && arm === 'lsquic-h3',
    );
    const found = h3(comparison)[1]?.subjects.find(({ subject }) => subject === 'b.example');
    assert.deepEqual(found?.ratios[place], own?.ratio);
    assert.equal(found?.verdicts[place], own?.verdict);
  }
});

test('returns reciprocal changes in the opposite order', () => {
  const [first, second] = twoRuns();
  const forth = h3(compared([first, second]))[0]?.ratio?.estimate ?? 0;
  const back = h3(compared([second, first]))[0]?.ratio?.estimate ?? 0;
  assert.ok(Math.abs(forth * back - 1) < 1e-9);
});

test('finds no change between identical runs: the same pairs give a factor of exactly 1', () => {
  const [first] = twoRuns();
  const [again] = twoRuns();
  for (const arm of h3(compared([first, again]))) {
    assert.equal(arm?.ratio?.estimate, 1);
    assert.ok(arm.subjects.every(({ verdict }) => verdict === 'same' || verdict === 'undecided'));
  }
});

test('names differences, one-sided items and changed pages, and does not compare them', () => {
  const [first, second] = twoRuns();
  const changed = second.run.subjects.find(({ subject }) => subject === 'c.example');
  assert.ok(changed);
  changed.manifestSha256 = 'cd'.repeat(32);
  second.run.versions.bun = '9.9.9';
  second.run.versions.extra = '1';
  second.run.revision = undefined;
  second.run.choices.isolation = 'process';
  const { differences, onlyIn, otherPages, conditions } = compared([first, second]);
  const valuesOf = (fact: string) => differences.find((each) => each.fact === fact)?.values;
  assert.deepEqual(valuesOf('host.cpu'), ['Example CPU @ 2.40GHz', 'Another CPU']);
  assert.deepEqual(valuesOf('versions.bun'), ['1.4.5', '9.9.9']);
  assert.deepEqual(valuesOf('versions.extra'), [null, '1']);
  assert.deepEqual(valuesOf('versions.quic-vs-https'), [
    '0.1.0 (commit 1a2b3c4d5e1a)',
    '0.1.0 (commit unknown)',
  ]);
  assert.deepEqual(valuesOf('choices.isolation'), ['context', 'process']);
  assert.deepEqual(valuesOf('repetitions'), ['8', '10']);
  assert.equal(valuesOf('host.kernel'), undefined);
  assert.deepEqual(onlyIn[0].subjects, ['first.example']);
  assert.deepEqual(onlyIn[1].subjects, ['second.example']);
  assert.deepEqual(otherPages, ['c.example']);
  assert.equal(conditions[0]?.arms[0]?.subjects.length, 2);
});

test('ignores lengths of signatures and small differences of memory', () => {
  const factsOf = (memoryMb: number, certificateChainBytes: number) => {
    const [first, second] = twoRuns();
    for (const [run, changes] of [
      [first.run, { memoryMb: 8_000, certificateChainBytes: 380 }],
      [second.run, { memoryMb, certificateChainBytes }],
    ] as const) {
      Object.assign(run.host ?? {}, { memoryMb: changes.memoryMb });
      Object.assign(run.fairness.readings['bun-h2'] ?? {}, {
        certificateChainBytes: { value: changes.certificateChainBytes, from: 'a test' },
      });
    }
    return compared([first, second])
      .differences.map(({ fact }) => fact)
      .filter((fact) => /memory|Chain/.test(fact));
  };
  assert.deepEqual(factsOf(7_999, 383), []);
  assert.deepEqual(factsOf(7_700, 480), [
    'host.memoryMb',
    'fairness.readings.bun-h2.certificateChainBytes',
  ]);
});

test('names facts known of stacks in one run only, and does not call them differences', () => {
  const [first, second] = twoRuns();
  Object.assign(second.run.fairness.stacks, {
    'nginx-h3': { program: { value: 'nginx', from: '' } },
  });
  second.run.arms.push({ ...stackNamed(second.run, 'flask-h1'), arm: 'nginx-h3' });
  const { differences, onlyIn } = compared([first, second]);
  assert.deepEqual(onlyIn[1].arms, ['nginx-h3']);
  assert.ok(!differences.some(({ fact }) => fact.includes('nginx-h3')));
});

test('matches conditions by their numbers, not by their names', () => {
  const subjects = ['a.example'];
  const first = fixtureRun({ subjects, networks: [NONE, DELAYED], repetitions: 6 });
  const second = fixtureRun({
    subjects,
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
  assert.ok(conditions[0]?.arms[0]?.ratio?.low);
});

test('gives no interval and no verdict with few or no pairs', () => {
  const [first, second] = twoRuns(3);
  for (const load of second.observations)
    if (load.subject === 'a.example') load.outcome = 'invalid';
  const [arm] = h3(compared([first, second]));
  const [none, few] = arm?.subjects ?? [];
  assert.equal(none?.ratio, null);
  assert.equal(none?.verdict, 'undecided');
  assert.ok(few?.ratio && few.ratio.low === null);
  assert.equal(arm?.nSites, 2);
});

test('rejects runs with nothing in common, and lists what they have', () => {
  const one = (change: (fixture: Fixture) => void) => {
    const fixture = fixtureRun({ ...ONE_SITE, repetitions: 2 });
    change(fixture);
    return fixture;
  };
  const first = one(() => {});
  const variants: [Fixture, RegExp][] = [
    [
      fixtureRun({ subjects: ['z.example'], repetitions: 1 }),
      /no site in common: a\.example; and z\.ex/,
    ],
    [
      fixtureRun({ subjects: ['a.example'], networks: [DELAYED], repetitions: 1 }),
      /no condition in common: no added delay; and 30 ms/,
    ],
    [
      one(({ run }) => {
        for (const subject of run.subjects) subject.manifestSha256 = 'ef'.repeat(32);
      }),
      /pages of a\.example were not the same/,
    ],
    [
      one(({ run, observations }) => {
        for (const each of [...run.arms, ...run.trials, ...observations]) {
          if (each.arm !== 'bun-h2') each.arm = `other-${each.arm}`;
        }
        run.fairness.pairs = [];
      }),
      /no stack in common except the baseline bun-h2/,
    ],
    [
      one(({ run }) => Object.assign(run.arms[2] ?? {}, { comparedWith: 'lsquic-h3' })),
      /flask-h1 is compared with bun-h2 in the first run, and with lsquic-h3 in the second: .*--baseline/,
    ],
  ];
  for (const [other, reason] of variants) {
    assert.throws(
      () => compareRuns([measured(first), measured(other)]),
      (error) => error instanceof CompareError && reason.test(error.message),
    );
  }
});

test('shows every site with both ratios and the change, and states that loads are never paired across runs', () => {
  const page = comparePage(compared());
  for (const subject of SHARED_SITES) assert.match(page, new RegExp(`data-key="${subject}"`));
  assert.match(page, /Loads of different runs are never paired/);
  assert.match(page, /made on different machines/);
  assert.match(page, /only the first run has: .*first\.example/);
  assert.equal(page.match(/<svg role="img"/g)?.length, 4);
});

test('renders hostile names as text', () => {
  const hostile = '"></title></style><script>alert(1)</script>';
  const [first, second] = twoRuns(2);
  for (const { run } of [first, second]) {
    run.host.cpu = hostile;
    run.versions[hostile] = run.startedAt;
    for (const arm of run.arms) arm.label += hostile;
  }
  first.run.versions.node = hostile;
  const page = comparePage(compared([first, second]));
  assert.equal(page.match(/<script>/g)?.length, 1);
  assert.ok(!page.includes('alert(1)</script>'));
});

test('compares stacks of both runs with their common baseline', () => {
  const fixtures = twoRuns();
  for (const { run } of fixtures) Object.assign(run.arms[2] ?? {}, { comparedWith: 'lsquic-h3' });
  const [condition] = compared(fixtures).conditions;
  assert.deepEqual(
    condition?.arms.map(({ label, baselineLabel }) => [label, baselineLabel]),
    [
      ['lsquic (h3)', 'Bun (h2)'],
      ['Flask (http/1.1)', 'lsquic (h3)'],
    ],
  );
});
