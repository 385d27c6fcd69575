import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarise } from '../../../../report/summary.ts';
import { fixtureRun, NONE } from '../fixture-run.ts';

/** A run in which the third stack is the second one's program again. */
function controlled(controlMs: (order: number) => number) {
  const { run, pageLoads } = fixtureRun({
    sites: ['a.example', 'b.example'],
    networks: [NONE],
    repetitions: 12,
    change: (load) => {
      load.timingsMs.pageLoad =
        load.stack === 'flask-h1' ? controlMs(load.order) : 200 + Math.sin(load.order * 7) * 20;
    },
  });
  for (const stack of run.stacks) {
    if (stack.stack !== 'flask-h1') continue;
    stack.controlOf = 'bun-h2';
    stack.label = 'Bun (h2) again';
  }
  return summarise(run, pageLoads);
}

test('a control is compared with the stack that it repeats, and is in nothing else', () => {
  const { controls, comparisons, pooled, overview, rows, fairness, sweeps } = controlled(
    (order) => 200 + Math.cos(order * 5) * 20,
  );
  const [control] = controls;
  assert.deepEqual([control?.stack, control?.control], ['bun-h2', 'flask-h1']);
  assert.equal(control?.nComparisons, 2);
  assert.equal(control?.nCalledDifferent, 0);
  assert.equal(control?.nWrongVerdicts, 0);
  assert.equal(control?.falsePositiveRate?.estimate, 0);
  assert.match(control?.sentence ?? '', /^Bun \(h2\) was compared with itself 2 times: 0 called/);
  assert.equal(control?.pooled.length, 1);
  for (const each of [comparisons, pooled, overview[0]?.stacks ?? []]) {
    assert.ok(each.length > 0);
    assert.ok(each.every(({ stack }) => stack !== 'flask-h1'));
  }
  assert.ok(fairness.every(({ a, b }) => a !== 'flask-h1' && b !== 'flask-h1'));
  assert.deepEqual(sweeps, []);
  assert.equal(rows.filter(({ controlOf }) => controlOf === 'bun-h2').length, 2);
});

test('a control that differs is counted as called different by mistake', () => {
  const [control] = controlled(() => 300).controls;
  assert.deepEqual([control?.nCalledDifferent, control?.nWrongVerdicts], [2, 2]);
  assert.equal(control?.falsePositiveRate?.estimate, 1);
  assert.match(control?.sentence ?? '', /2 called different before correction \(100 %/);
});
