import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../../../ground/system/errors.ts';
import { assertMakesVisits } from '../../../runner/machine.ts';

test('rejects a headless shell for visits that close connections in between', () => {
  for (const name of ['chromium-headless-shell', 'headless_shell', 'chrome-headless-shell']) {
    const machine = { chromium: `/opt/browser/${name}` };
    assert.throws(() => assertMakesVisits(machine, ['cold', 'repeat']), UsageError);
    assert.throws(() => assertMakesVisits(machine, ['resumed']), /--visit resumed: .*headless/);
    assertMakesVisits(machine, ['cold', 'reload']);
  }
  assertMakesVisits({ chromium: '/usr/lib/chromium/chromium' }, ['repeat', 'resumed']);
});
