import { test } from 'node:test';

import { assertOptionsReported } from '../../../../test/unit/runner/reported-options.ts';
import { transfer } from '../../experiment.ts';

const BASE = { seed: '1', repetitions: '20' };

test('reports the values of its options', () => {
  assertOptionsReported(transfer, {
    base: BASE,
    further: {
      client: 'chromium',
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
