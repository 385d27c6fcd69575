import { test } from 'node:test';

import { assertOptionsReported } from '../../../../test/unit/runner/reported-options.ts';
import { connect } from '../../experiment.ts';

const BASE = { seed: '1', repetitions: '20', live: '' };

test('reports the values of its options', () => {
  assertOptionsReported(connect, {
    base: BASE,
    further: {
      live: '',
      via: 'tcp,quic',
      resumption: 'ticket',
      ipv: '6',
      requests: '1',
      path: '/a',
      'local-port': '4000',
      trust: 'none',
      'as-table': 'ip2asn.tsv',
      every: '90s',
      read: 'table.csv',
      dialect: 'jaeger',
    },
    needed: { path: { requests: '1' } },
  });
});
