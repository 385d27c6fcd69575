import { test } from 'node:test';

import { assertOptionsReported } from '../../../../test/unit/runner/reported-options.ts';
import { sockets } from '../../experiment.ts';

const BASE = { seed: '1', repetitions: '20' };

test('the report says of its options what was chosen', () => {
  assertOptionsReported(sockets, {
    base: BASE,
    others: { message: '1000', reuse: '' },
  });
});
