import { test } from 'node:test';
import { clientsFor } from '../../../../clients/index.ts';
import { assertPostQuantum, SITE } from '../../../../test/e2e/key-exchange-run.ts';
import { connect } from '../../experiment.ts';

for (const { name, keyExchanges } of clientsFor('connect')) {
  if (!keyExchanges.some((each) => each === 'x25519mlkem768')) continue;
  const words = `${connect.name} ${SITE} --stacks lsquic-h3,bun-h2 --client ${name}`;
  test(`uses the run's key exchange in every connection of \`${words}\``, () =>
    assertPostQuantum(words));
}
