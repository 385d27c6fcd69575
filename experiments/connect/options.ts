import { RESUMPTIONS } from '../../ground/records/connection-attempt.ts';
import { ROWS } from '../../ground/records/dimensions.ts';
import { isOfLiveWeb } from '../../ground/records/network.ts';
import { BOUNDS } from '../../ground/records/ranges.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import { VIAS } from '../../ground/records/via.ts';
import { OPTIONS_OF_BENCH_PAGES } from '../../ground/options/loads.ts';
import { durationMs, FLAG, severalOf, text, wholeNumber } from '../../ground/options/readers.ts';
import { type Line, optionGroup } from '../../ground/options/row.ts';

/** What is not there where hosts or pages are asked over the machine's own network. */
const OF_THE_BENCH = [
  ...OPTIONS_OF_BENCH_PAGES,
  'preset',
  'sites',
  'stacks',
  'server',
  ...ROWS.map(({ flag }) => flag),
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

/** What only connections have. */
export const CONNECTION_OPTIONS = optionGroup('Connections', 'plan', {
  live: {
    ...FLAG,
    help: 'connects to HOSTs over the network of this machine, in place of local servers',
    conflicts: OF_THE_BENCH,
    said: (run) => {
      if (isOfLiveWeb(run)) return [['Network', 'the machine’s own']];
      return run.choices.connections ? [['Network', 'the bench’s own path']] : [];
    },
  },
  probe: {
    ...FLAG,
    help: 'asks each HOST what it speaks instead: TLS and QUIC versions, HTTP/3, ALPN, Alt-Svc, HTTPS record, Retry, amplification, certificates, post-quantum key exchange',
    needs: 'live',
    decides: 'invocation',
  },
  via: {
    argument: 'a,b',
    help: 'ways to connect, each compared with the others: quic, tls1.3, tls1.2, tcp (default: quic and tls1.3, as far as the servers speak them)',
    read: severalOf(...VIAS),
    // The arms are named by it.
    said: { by: 'stacks' },
  },
  resumption: {
    argument: 'a,b',
    help: 'what is reused from an earlier connection to the same server: none; ticket, its session ticket; early-data, the ticket, with the request in the first packets (0-RTT)',
    read: severalOf(...RESUMPTIONS),
    byDefault: ['none'],
    said: ({ factors: { resumption } }) =>
      resumption ? [['Taken over from an earlier connection', resumption.join(', ')]] : [],
  },
  ipv: {
    argument: 'a,b',
    help: 'address families: 4, 6; 6 needs --live',
    read: severalOf('4', '6'),
    byDefault: ['4'],
    said: ({ factors: { ipv } }) => (ipv ? [['IP versions', ipv.join(', ')]] : []),
  },
  requests: {
    argument: 'N',
    help: '0: the connection is closed once it is made; 1: one request over it, for the time of the first byte and of the whole answer',
    read: wholeNumber(BOUNDS.requests),
    byDefault: 0,
    said: of(({ requests, requestPath }) => [
      [
        'Asked for over a connection',
        requests === 0 ? 'nothing' : (requestPath ?? 'the page of a site, / of a host'),
      ],
    ]),
  },
  path: {
    argument: 'PATH',
    help: 'what --requests 1 asks for (default: / of a host, the page of a site)',
    read: text,
    needs: 'requests',
    said: { by: 'requests' },
  },
  'local-port': {
    argument: 'PORT',
    help: 'port that the client sends from; by TCP the kernel lets a port be used for one server once a minute (default: any that is free)',
    read: wholeNumber(BOUNDS.localPort),
    said: of(({ localPort }) => [
      ['Port of the client', localPort === null ? 'any' : `${localPort}`],
    ]),
  },
  trust: {
    argument: 'FILE|none',
    help: 'certificates of authorities to trust with --live, PEM; none: certificates are not checked (default: the authorities that this machine trusts)',
    read: text,
    needs: 'live',
    said: of(({ trust }) => [
      ['Certificates', TRUSTED.get(trust ?? '') ?? `of the authorities in ${trust}`],
    ]),
  },
  every: {
    argument: 'TIME',
    help: 'time between the starts of two rounds of all hosts: 90s, 10m, 1h; needs --repetitions N (default: one round after the other)',
    read: durationMs,
    needs: 'live',
    said: of(({ everyMs }) =>
      everyMs === null ? [] : [['A round begins every', `${everyMs / 1000} s`]],
    ),
  },
});

const TRUSTED = new Map<string, string>(
  Object.entries({
    '': 'not checked',
    system: 'of the authorities that this machine trusts',
  }),
);

function of(
  said: (choices: NonNullable<RunRecord['choices']['connections']>) => Line[],
): (run: RunRecord) => Line[] {
  return ({ choices: { connections } }) => (connections ? said(connections) : []);
}
