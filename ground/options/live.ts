import { DIMENSION_ROWS } from '../records/dimensions.ts';
import { isLiveRun } from '../records/network.ts';
import { FLAG, text } from './readers.ts';
import { optionGroup, reportLine } from './row.ts';

/** Options of the test bed, which do not apply to hosts or pages over the machine's own network. */
const BENCH_OPTIONS = [
  'visit',
  'hosts',
  'isolation',
  'warm-ups',
  'document',
  'sub-resources',
  'deterministic',
  'think',
  'tls',
  'tcp-info',
  'preset',
  'sites',
  'stacks',
  'server',
  ...DIMENSION_ROWS.map(({ flag }) => flag),
  'network',
  'network-backend',
  'offloads',
  'cert-chain',
  'key-exchange',
  'coalesce',
  'pin',
  'packets',
  'qlog',
  'order',
  'queue',
];

export const LIVE_OPTIONS = optionGroup('Connections', 'plan', {
  live: {
    ...FLAG,
    help: 'connects to HOSTs over the network of this machine, in place of local servers',
    conflicts: BENCH_OPTIONS,
    lines: reportLine('Network', (run) =>
      isLiveRun(run) ? 'the machine’s own' : 'the bench’s own path',
    ),
  },
  probe: {
    ...FLAG,
    help: 'reports what each HOST supports instead of measuring: TLS and QUIC versions, HTTP/3, ALPN, Alt-Svc, HTTPS record, Retry, amplification, certificates, post-quantum key exchange',
    needs: 'live',
    decides: 'invocation',
  },
  trust: {
    argument: 'FILE|none',
    help: 'certificates of authorities to trust with --live, PEM; none: certificates are not checked (default: the authorities that this machine trusts)',
    read: text,
    needs: 'live',
  },
  'as-table': {
    argument: 'FILE',
    help: 'groups hosts by the autonomous system (AS) of their address, with a table such as ip2asn-combined.tsv.gz of iptoasn.com',
    read: text,
    needs: 'live',
  },
});
