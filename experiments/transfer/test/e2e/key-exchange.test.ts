import { test } from 'node:test';
import { assertPostQuantum } from '../../../../test/e2e/key-exchange-run.ts';
import { transfer } from '../../experiment.ts';

for (const client of transfer.clients ?? []) {
  // Its connections are those of page loads.
  if (client === 'chromium') continue;
  const words = `transfer --size 10kB --stacks lsquic-h3,bun-h2 --client ${client}`;
  test(`every connection of \`${words}\` has the key exchange asked for`, () =>
    assertPostQuantum(words));
}
