import { test } from 'node:test';

import { assertOptionsSaid } from '../../../../test/unit/runner/said-options.ts';
import { sockets } from '../../experiment.ts';

const BASE = { seed: '1', repetitions: '20' };

test('the report says of its options what was chosen', () => {
  assertOptionsSaid(sockets, {
    base: BASE,
    others: { message: '1000', reuse: '' },
  });
});
