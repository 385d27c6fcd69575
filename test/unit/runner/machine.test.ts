import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bun } from '../../../ground/runtimes/bun.ts';
import { UsageError } from '../../../ground/system/errors.ts';
import { assertMakesVisits, isSetUp } from '../../../runner/machine.ts';

test('rejects a headless shell for visits that close connections in between', () => {
  for (const name of ['chromium-headless-shell', 'headless_shell', 'chrome-headless-shell']) {
    const machine = { chromium: `/opt/browser/${name}` };
    assert.throws(() => assertMakesVisits(machine, ['cold', 'repeat']), UsageError);
    assert.throws(() => assertMakesVisits(machine, ['resumed']), /--visit resumed: .*headless/);
    assertMakesVisits(machine, ['cold', 'reload']);
  }
  assertMakesVisits({ chromium: '/usr/lib/chromium/chromium' }, ['repeat', 'resumed']);
});

test('takes a stack for set up only if what its installation adds is there', () => {
  const runtime = { ...bun, onDemand: true as const };
  assert.equal(isSetUp({ runtime: { ...runtime, installs: bun.program } }), true);
  assert.equal(isSetUp({ runtime: { ...runtime, installs: '/nowhere/server' } }), false);
});
