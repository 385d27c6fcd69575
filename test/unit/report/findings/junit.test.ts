import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingsOfRuns } from '../../../../report/findings/findings.ts';
import { junitOf } from '../../../../report/findings/junit.ts';
import { compareRuns } from '../../../../report/summary/compare-runs.ts';
import { outcomeOfRuns } from '../../../../report/summary/fail-if.ts';
import { readFailRule } from '../../../../report/summary/fail-rule.ts';
import { DELAYED, NONE, spoil } from '../fixture-run.ts';
import { measured, twoRuns } from '../two-runs.ts';
import { findingsFor } from './findings-for.ts';
import { casesOf, elementsOf, readJunit } from './junit-file.ts';

const RULE = 'lsquic-h3 slower than bun-h2 by 5%';

const junit = (...words: Parameters<typeof findingsFor>) =>
  readJunit(junitOf({ findings: findingsFor(...words), problem: null }));

test('fails a rule that is broken, reports an error if it is undecided, and passes otherwise', () => {
  const attempts = ['every one counts: passed', 'ended: passed'];
  assert.deepEqual(casesOf(junit(RULE, 1.2)), [
    'no added delay: failure met',
    '30ms: 30 ms round-trip time added: failure met',
    ...attempts,
  ]);
  assert.deepEqual(casesOf(junit(RULE, 1.05, { networks: [NONE] })), [
    'no added delay: error undecided',
    ...attempts,
  ]);
  assert.deepEqual(casesOf(junit(RULE, 0.9, { networks: [DELAYED] })), [
    '30ms: 30 ms round-trip time added: passed',
    ...attempts,
  ]);
  assert.deepEqual(casesOf(junit(null, 1.2)), attempts);
});

test('reports a rule with the numbers of the answer and of every site', () => {
  const [failure] = elementsOf(junit(RULE, 1.2, { networks: [NONE] }), 'failure');
  assert.match(failure?.attributes.message ?? '', /^Met: lsquic \(h3\) is 19 % slower/);
  assert.match(
    failure?.text ?? '',
    /\na\.example \(generated\) \| 1\.20 \(1\.\d+ to 1\.\d+\) \| slower \| /,
  );
  assert.match(failure?.text ?? '', /\nall 2 together \| 1\.19 /);
  const [passed] = elementsOf(junit(RULE, 0.9, { networks: [NONE] }), 'system-out');
  assert.match(passed?.text ?? '', /\na\.example \(generated\) \| 0\.90 /);
});

test('reports failed loads as an error with their names, and leaves the rule of a run without counted loads undecided', () => {
  const root = junit(RULE, 1.2, {
    networks: [NONE],
    change: (load) => spoil(load, 'invalid', 'wrong-protocol', 'h2'),
  });
  assert.deepEqual(casesOf(root), [
    'no added delay: error undecided',
    'every one counts: error excluded',
    'ended: passed',
  ]);
  assert.match(
    elementsOf(root, 'error')[1]?.text ?? '',
    /^48 loads and \d+ warm-ups invalid: wrong-protocol \(first: a\.example, /,
  );
});

test('reports an early end of a command as an error, with or without findings', () => {
  const problem = 'Interrupted (SIGINT).';
  const [bare, some] = [null, findingsFor(null, 1)].map((findings) =>
    readJunit(junitOf({ findings, problem })),
  );
  assert.ok(bare && some);
  assert.deepEqual(casesOf(bare), ['ended: error not finished']);
  assert.deepEqual(casesOf(some), ['every one counts: passed', 'ended: error not finished']);
  assert.equal(elementsOf(bare, 'error')[0]?.attributes.message, problem);
});

test('has a test case for each condition of two runs', () => {
  const [first, second] = twoRuns();
  const comparison = compareRuns([measured(first), measured(second)]);
  const casesFor = (text: string) => {
    const outcome = outcomeOfRuns(readFailRule(text), comparison);
    const findings = findingsOfRuns(comparison, outcome, '/compare.html');
    return casesOf(readJunit(junitOf({ findings, problem: null })));
  };
  const conditions = ['no added delay', '30ms: 30 ms round-trip time added'];
  const attempts = Array(2).fill('every one counts: passed');
  const each = (what: string) => [
    ...conditions.map((name) => `${name}: ${what}`),
    ...attempts,
    'ended: passed',
  ];
  assert.deepEqual(casesFor('lsquic-h3 slower by 5%'), each('failure met'));
  assert.deepEqual(casesFor('lsquic-h3 slower by 30%'), each('error undecided'));
  assert.deepEqual(casesFor('flask-h1 slower by 20%'), each('passed'));
});

test('reports failed loads in one of two runs as an error of that run', () => {
  const [first, second] = twoRuns();
  for (const load of second.observations) {
    if (load.arm === 'flask-h1') spoil(load, 'failed', 'timeout', 'No load event within 30 s.');
  }
  const comparison = compareRuns([measured(first), measured(second)]);
  const findings = findingsOfRuns(comparison, null, '/compare.html');
  const root = readJunit(junitOf({ findings, problem: null }));
  assert.deepEqual(casesOf(root), [
    'every one counts: passed',
    'every one counts: error excluded',
    'ended: passed',
  ]);
  const [error] = elementsOf(root, 'error');
  assert.match(error?.text ?? '', /^80 loads and \d+ warm-ups failed: timeout \(first: /);
  assert.deepEqual(
    elementsOf(root, 'testsuite').map(({ attributes }) => attributes.name),
    ['Loads', 'Loads']
      .map((name, place) => `${name} of run ${comparison.runs[place]?.runId}`)
      .concat('command'),
  );
});

test('keeps the file valid with any name', () => {
  const hostile = "\"]]><a href='&'>\u0000\u0007\n\uD800\uFFFE🙂";
  const root = junit(RULE, 1.2, {
    subjects: [hostile, 'b.example'],
    networks: [NONE],
    change: (load) => {
      if (load.subject === 'b.example') spoil(load, 'failed', 'timeout', hostile);
    },
  });
  const [failure] = elementsOf(root, 'failure');
  assert.match(failure?.text ?? '', /\n"\]\]><a href='&'>\?{5}🙂 \(generated\) \| 1\.20 /u);
});
