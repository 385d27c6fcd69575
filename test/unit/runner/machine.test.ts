import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bun } from '../../../ground/runtimes/bun.ts';
import { UsageError } from '../../../ground/system/errors.ts';
import { assertMakesVisits, isSetUp } from '../../../runner/machine.ts';

test('rejects a headless shell for visits that close connections in between', () => {
  const remedy = 'Use a whole Chromium';
  for (const name of ['chromium-headless-shell', 'headless_shell', 'chrome-headless-shell']) {
    const shell = `/opt/browser/${name}`;
    assert.throws(() => assertMakesVisits(shell, ['cold', 'repeat'], remedy), UsageError);
    assert.throws(
      () => assertMakesVisits(shell, ['resumed'], remedy),
      /--visit resumed: .*headless.*Use a whole/,
    );
    assertMakesVisits(shell, ['cold', 'reload'], remedy);
  }
  assertMakesVisits('/usr/lib/chromium/chromium', ['repeat', 'resumed'], remedy);
});

test('takes a stack for set up only if what its installation adds is there', () => {
  const runtime = { ...bun, onDemand: true as const };
  assert.equal(isSetUp({ runtime: { ...runtime, installs: bun.program } }), true);
  assert.equal(isSetUp({ runtime: { ...runtime, installs: '/nowhere/server' } }), false);
});
