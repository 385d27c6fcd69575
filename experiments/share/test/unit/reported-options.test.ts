import { test } from 'node:test';

import { assertOptionsReported } from '../../../../test/unit/runner/reported-options.ts';
import { share } from '../../experiment.ts';

const BASE = { seed: '1', repetitions: '20', down: '10000' };

test('reports the values of its options', () => {
  assertOptionsReported(share, {
    base: BASE,
    further: { flows: 'bun-h2:2', duration: '9', 'start-gap': '2' },
  });
});
