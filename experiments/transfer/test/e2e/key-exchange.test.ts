import { test } from 'node:test';
import { assertPostQuantum } from '../../../../test/e2e/key-exchange-run.ts';
import { transfer } from '../../experiment.ts';

for (const client of transfer.clients ?? []) {
  // Connections of Chromium are those of page loads, and those of Bun have it in `transfer-cut.test.ts`.
  if (client === 'chromium' || client === 'bun') continue;
  const words = `transfer --size 10kB --stacks lsquic-h3,bun-h2 --client ${client}`;
  test(`every connection of \`${words}\` has the key exchange asked for`, () =>
    assertPostQuantum(words));
}
