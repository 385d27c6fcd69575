import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../../../runner/errors.ts';
import { assertTellsHandshakes } from '../../../runner/machine.ts';

test('a headless shell is refused where nothing would tell its handshakes', () => {
  for (const name of ['chromium-headless-shell', 'headless_shell', 'chrome-headless-shell']) {
    const machine = { chromium: `/usr/lib/chromium/${name}` };
    for (const netLog of ['warm-ups', 'none'] as const) {
      assert.throws(() => assertTellsHandshakes(machine, { netLog }), UsageError);
    }
    assertTellsHandshakes(machine, { netLog: 'all' });
  }
  assertTellsHandshakes({ chromium: '/usr/lib/chromium/chromium' }, { netLog: 'none' });
});
