import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchProcessor } from '../../../../ground/host/processor-steps.ts';

const BUSY = 'for(;;);';
const RESTING = 'setInterval(() => {}, 1000)';

test('distinguishes a busy program from an idle one, step by step', async (t) => {
  const [busy, resting] = [BUSY, RESTING].map((program) =>
    spawn(process.execPath, ['-e', program]),
  );
  t.after(() => {
    busy?.kill('SIGKILL');
    resting?.kill('SIGKILL');
  });
  // Both have started by then.
  await sleep(500);
  const watch = watchProcessor({ busy: busy?.pid ?? 0, resting: resting?.pid ?? 0 });
  await sleep(300);
  const steps = watch.end();
  assert.ok(steps && steps.length >= 3, 'several steps');
  const forMs = steps.reduce((sum, step) => sum + step.forMs, 0);
  assert.ok(forMs >= 299, `${forMs} ms`);
  for (const [index, step] of steps.entries()) {
    const next: (typeof steps)[number] | undefined = steps[index + 1];
    if (next) assert.equal(Math.round(next.atMs - step.atMs - step.forMs), 0);
  }
  const sum = (whose: 'busy' | 'resting', of: 'cpuMs' | 'mostCpuMs' | 'busiestMs') =>
    steps.reduce((total, { programs }) => total + programs[whose][of], 0);
  // It always has a core or waits for one; a resuming thread may be reported late.
  assert.ok(sum('busy', 'mostCpuMs') > 0 && sum('busy', 'mostCpuMs') <= sum('busy', 'cpuMs'));
  assert.ok(sum('busy', 'busiestMs') > 0.7 * forMs, `${sum('busy', 'busiestMs')} of ${forMs} ms`);
  assert.ok(sum('busy', 'cpuMs') > sum('resting', 'cpuMs'));
});

test('reports nothing for a program that has ended', () => {
  const watch = watchProcessor({ gone: 2 ** 22 + 1 });
  assert.equal(watch.end(), null);
});
