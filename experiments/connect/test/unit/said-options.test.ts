import { test } from 'node:test';

import { assertOptionsSaid } from '../../../../test/unit/runner/said-options.ts';
import { connect } from '../../experiment.ts';

const BASE = { seed: '1', repetitions: '20', live: '' };

test('the report says of its options what was chosen', () => {
  assertOptionsSaid(connect, {
    base: BASE,
    others: {
      live: '',
      via: 'tcp,quic',
      resumption: 'ticket',
      ipv: '6',
      requests: '1',
      path: '/a',
      client: 'curl',
      'local-port': '4000',
      trust: 'none',
      every: '90s',
      read: 'table.csv',
      dialect: 'jaeger',
    },
    needed: { path: { requests: '1' } },
  });
});
