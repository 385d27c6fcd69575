import { test } from 'node:test';

import { assertOptionsSaid } from '../../../../test/unit/runner/said-options.ts';
import { transfer } from '../../experiment.ts';

const BASE = { seed: '1', repetitions: '20' };

test('the report says of its options what was chosen', () => {
  assertOptionsSaid(transfer, {
    base: BASE,
    others: {
      size: '10kB',
      streams: '1,10',
      upload: '',
      'stream-window': '64kB',
      'receive-window': '64kB',
      explain: '',
      profile: 'cpu',
    },
  });
});
