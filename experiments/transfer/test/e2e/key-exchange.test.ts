import { test } from 'node:test';
import { assertPostQuantum } from '../../../../test/e2e/key-exchange-run.ts';
import { transfer } from '../../experiment.ts';

for (const client of transfer.clients ?? []) {
  // Chromium's connections are those of page loads; `transfer-cut.test.ts` tests Bun's.
  if (client === 'chromium' || client === 'bun') continue;
  const words = `transfer --size 10kB --stacks lsquic-h3,bun-h2 --client ${client}`;
  test(`uses the requested key exchange in every connection of \`${words}\``, () =>
    assertPostQuantum(words));
}
