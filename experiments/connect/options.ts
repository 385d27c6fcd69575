import { LIVE_OPTIONS } from '../../ground/options/live.ts';
import { durationMs, severalOf, text, wholeNumber } from '../../ground/options/readers.ts';
import { optionGroup, ownChoiceLines } from '../../ground/options/row.ts';
import { TABLE_OPTIONS } from '../../ground/options/tables.ts';
import { RESUMPTIONS } from '../../ground/records/connection-attempt.ts';
import { CONNECTION_TRANSPORT_NAMES } from '../../ground/records/connection-transport.ts';
import { BOUNDS } from '../../ground/records/ranges.ts';
import { CONNECTION_CHOICES } from './choices.ts';

export const CONNECTION_OPTIONS = optionGroup('Connections', 'plan', {
  live: LIVE_OPTIONS.live,
  probe: LIVE_OPTIONS.probe,
  via: {
    argument: 'a,b',
    help: 'transports to compare: quic, tls1.3, tls1.2, tcp (default: quic and tls1.3, if the servers support them)',
    read: severalOf(...CONNECTION_TRANSPORT_NAMES),
    // The names of the arms contain the transport.
    lines: { by: 'stacks' },
  },
  resumption: {
    argument: 'a,b',
    help: 'what a connection reuses of an earlier one to the same server: none; ticket (its session ticket); early-data (the ticket, with the request in the first packets, 0-RTT)',
    read: severalOf(...RESUMPTIONS),
    byDefault: ['none'],
    lines: ({ factors: { resumption } }) =>
      resumption ? [['Reused of an earlier connection', resumption.join(', ')]] : [],
  },
  ipv: {
    argument: 'a,b',
    help: 'address families: 4, 6; 6 needs --live',
    read: severalOf('4', '6'),
    byDefault: ['4'],
    lines: ({ factors: { ipv } }) => (ipv ? [['IP versions', ipv.join(', ')]] : []),
  },
  requests: {
    argument: 'N',
    help: '0: close each connection after the handshake; 1: send one request, for the times of the first byte and of the whole response',
    read: wholeNumber(BOUNDS.requests),
    byDefault: 0,
    lines: ownChoiceLines(CONNECTION_CHOICES, ({ requests, requestPath }) => [
      [
        'Request over a connection',
        requests === 0 ? 'nothing' : (requestPath ?? 'the page of a site, / of a host'),
      ],
    ]),
  },
  path: {
    argument: 'PATH',
    help: 'path of the request of --requests 1 (default: / of a host, the page of a site)',
    read: text,
    needs: 'requests',
    lines: { by: 'requests' },
  },
  'local-port': {
    argument: 'PORT',
    help: 'source port of the client; by TCP the kernel permits a port once a minute per server (default: any free port)',
    read: wholeNumber(BOUNDS.localPort),
    lines: ownChoiceLines(CONNECTION_CHOICES, ({ localPort }) => [
      ['Port of the client', localPort === null ? 'any' : `${localPort}`],
    ]),
  },
  trust: {
    ...LIVE_OPTIONS.trust,
    lines: ownChoiceLines(CONNECTION_CHOICES, ({ trust }) => [
      ['Certificates', TRUSTED.get(trust ?? '') ?? `of the authorities in ${trust}`],
    ]),
  },
  'as-table': {
    ...LIVE_OPTIONS['as-table'],
    lines: ownChoiceLines(CONNECTION_CHOICES, ({ asTable = null }) =>
      asTable === null ? [] : [['Autonomous systems', `by ${asTable}`]],
    ),
  },
  every: {
    argument: 'TIME',
    help: 'time between the starts of two rounds of all hosts: 90s, 10m, 1h; needs --repetitions N (default: one round after the other)',
    read: durationMs,
    needs: 'live',
    lines: ownChoiceLines(CONNECTION_CHOICES, ({ everyMs }) =>
      everyMs === null ? [] : [['A round begins every', `${everyMs / 1000} s`]],
    ),
  },
});

const TRUSTED = new Map<string, string>(
  Object.entries({
    '': 'not verified',
    system: 'of the authorities that this machine trusts',
  }),
);

export const OPTIONS_OF_CONNECTIONS = {
  ...CONNECTION_OPTIONS,
  read: {
    ...TABLE_OPTIONS.read,
    help: 'measures nothing: makes a run and its report from a table of connections, plain or gzip: connections.csv of a run, or a file with the columns of B. Jaeger’s study (2018); only --out and --dialect go with it',
  },
};
