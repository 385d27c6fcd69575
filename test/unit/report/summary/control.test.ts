import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarise } from '../../../../report/summary/summary.ts';
import { DELAYED, fixtureRun, NONE } from '../fixture-run.ts';

/** A run in which the third stack is the second one's program again. */
function controlled(controlMs: (order: number) => number) {
  const { run, observations } = fixtureRun({
    subjects: ['a.example', 'b.example'],
    networks: [NONE, DELAYED],
    repetitions: 12,
    change: (load) => {
      load.metrics.pageLoadMs =
        load.arm === 'flask-h1' ? controlMs(load.order) : 200 + Math.sin(load.order * 7) * 20;
    },
  });
  for (const arm of run.arms) {
    if (arm.arm !== 'flask-h1') continue;
    arm.controlOf = 'bun-h2';
    arm.label = 'Bun (h2) again';
  }
  return summarise(run, observations);
}

test('a control is compared with the stack that it repeats, and is in nothing else', () => {
  const { controls, comparisons, primary, overview, rows, fairness, sweeps } = controlled(
    (order) => 200 + Math.cos(order * 5) * 20,
  );
  const [control] = controls;
  assert.deepEqual([control?.arm, control?.control], ['bun-h2', 'flask-h1']);
  assert.equal(control?.nComparisons, 4);
  assert.equal(control?.nCalledDifferent, 0);
  assert.equal(control?.nWrongVerdicts, 0);
  assert.equal(control?.falsePositiveRate?.estimate, 0);
  assert.match(control?.sentence ?? '', /^Bun \(h2\) was compared with itself 4 times: 0 called/);
  assert.equal(control?.primary.length, 2);
  const { rows: swept = [], overSites = [] } = sweeps[0] ?? {};
  for (const each of [comparisons, primary, overview[0]?.arms ?? [], swept, overSites]) {
    assert.ok(each.length > 0);
    assert.ok(each.every(({ arm }) => arm !== 'flask-h1'));
  }
  assert.ok(fairness.every(({ a, b }) => a !== 'flask-h1' && b !== 'flask-h1'));
  assert.equal(rows.filter(({ controlOf }) => controlOf === 'bun-h2').length, 4);
});

test('a control that differs is counted as called different by mistake', () => {
  const [control] = controlled(() => 300).controls;
  assert.deepEqual([control?.nCalledDifferent, control?.nWrongVerdicts], [4, 4]);
  assert.equal(control?.falsePositiveRate?.estimate, 1);
  assert.match(control?.sentence ?? '', /4 called different before correction \(100 %/);
});
