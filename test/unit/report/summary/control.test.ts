import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exactShare } from '../../../../report/summary/control.ts';
import { controlText } from '../../../../report/text/answers.ts';
import { fixtureRun, ONE_SITE } from '../fixture-run.ts';
import { summaryOf } from '../reported.ts';

/** A run in which the third stack repeats the second one's program. */
function controlled(controlMs: (order: number) => number) {
  const made = fixtureRun({
    subjects: ['a.example', 'b.example'],
    repetitions: 12,
    pageLoadMs: (load) =>
      load.arm === 'flask-h1' ? controlMs(load.order) : 200 + Math.sin(load.order * 7) * 20,
  });
  Object.assign(made.run.arms[2] ?? {}, { controlOf: 'bun-h2', label: 'Bun (h2) again' });
  const summary = summaryOf(made);
  const [control] = summary.controls;
  return { ...summary, sentence: control ? controlText(control, summary) : '' };
}

test('compares a control with the stack that it repeats, and uses it nowhere else', () => {
  const { controls, comparisons, primary, overview, rows, fairness, sweeps, sentence } = controlled(
    (order) => 200 + Math.cos(order * 5) * 20,
  );
  const [control] = controls;
  assert.deepEqual([control?.arm, control?.control], ['bun-h2', 'flask-h1']);
  assert.equal(control?.nComparisons, 4);
  assert.equal(control?.nCalledDifferent, 0);
  assert.equal(control?.nWrongVerdicts, 0);
  assert.equal(control?.falsePositiveRate?.estimate, 0);
  assert.match(sentence, /^Bun \(h2\) was compared with itself 4 times: 0 called/);
  assert.equal(control?.primary.length, 2);
  const { rows: swept = [], overSites = [] } = sweeps[0] ?? {};
  for (const each of [comparisons, primary, overview[0]?.arms ?? [], swept, overSites]) {
    assert.ok(each.length > 0);
    assert.ok(each.every(({ arm }) => arm !== 'flask-h1'));
  }
  assert.ok(fairness.every(({ a, b }) => a !== 'flask-h1' && b !== 'flask-h1'));
  assert.equal(rows.filter(({ controlOf }) => controlOf === 'bun-h2').length, 4);
});

test('counts a control that differs as a false alarm', () => {
  const { controls, sentence } = controlled(() => 300);
  const [control] = controls;
  assert.deepEqual([control?.nCalledDifferent, control?.nWrongVerdicts], [4, 4]);
  assert.equal(control?.falsePositiveRate?.estimate, 1);
  assert.match(sentence, /4 called different before correction \(100 %/);
});

test('expects of a control the rate that its tests can attain', () => {
  const made = fixtureRun({ ...ONE_SITE, repetitions: 6 });
  Object.assign(made.run.arms[2] ?? {}, { controlOf: 'bun-h2' });
  const summary = summaryOf(made);
  const [control] = summary.controls;
  assert.ok(control);
  assert.equal(control?.expectedRate, 2 / 64);
  assert.match(controlText(control, summary), /; 3\.1 % expected for this number of pairs\)/);
  const [twelve] = controlled(() => 300).controls;
  // 2 x 106 of 4,096 orders of signs: sums of ranks up to 13.
  closeTo(twelve?.expectedRate, 0.0424, 1e-4);
});

test('has the exact interval of a share, at its ends too', () => {
  // At the ends there are closed forms: 1 - 0.025 ^ (1 / n) above no hit, 0.025 ^ (1 / n) below
  // only hits.
  assert.deepEqual(exactShare(0, 8), {
    estimate: 0,
    low: 0,
    high: closeTo(exactShare(0, 8)?.high, 1 - 0.025 ** (1 / 8)),
  });
  assert.deepEqual(exactShare(8, 8), {
    estimate: 1,
    low: closeTo(exactShare(8, 8)?.low, 0.025 ** (1 / 8)),
    high: 1,
  });
  // 4 of 10: 0.1216 to 0.7376, a textbook case.
  const share = exactShare(4, 10);
  closeTo(share?.low, 0.12155226, 1e-7);
  closeTo(share?.high, 0.73762192, 1e-7);
  assert.equal(share?.estimate, 0.4);
});

test('does not underflow with many trials, and has no share without trials', () => {
  const share = exactShare(500, 10_000);
  closeTo(share?.low, 0.0458, 2e-4);
  closeTo(share?.high, 0.0545, 2e-4);
  assert.equal(exactShare(0, 0), null);
});

function closeTo(found: number | null | undefined, expected: number, tolerance = 1e-9): number {
  assert.ok(Math.abs((found ?? Number.NaN) - expected) < tolerance, `${found}, not ${expected}`);
  return found as number;
}
