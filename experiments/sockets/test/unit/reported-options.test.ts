import { test } from 'node:test';

import { assertOptionsReported } from '../../../../test/unit/runner/reported-options.ts';
import { sockets } from '../../experiment.ts';

const BASE = { seed: '1', repetitions: '20' };

test('reports the values of its options', () => {
  assertOptionsReported(sockets, {
    base: BASE,
    further: { message: '1000', reuse: '' },
  });
});
