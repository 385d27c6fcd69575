import { LIVE_OPTIONS } from '../../ground/options/live.ts';
import { durationMs, severalOf, text, wholeNumber } from '../../ground/options/readers.ts';
import { optionGroup, ownChoiceLines } from '../../ground/options/row.ts';
import { TABLE_OPTIONS } from '../../ground/options/tables.ts';
import { RESUMPTIONS } from '../../ground/records/connection-attempt.ts';
import { CONNECTION_TRANSPORT_NAMES } from '../../ground/records/connection-transport.ts';
import { BOUNDS } from '../../ground/records/ranges.ts';
import { CONNECTION_CHOICES } from './choices.ts';

/** What only connections have. */
export const CONNECTION_OPTIONS = optionGroup('Connections', 'plan', {
  live: LIVE_OPTIONS.live,
  probe: LIVE_OPTIONS.probe,
  via: {
    argument: 'a,b',
    help: 'ways to connect, each compared with the others: quic, tls1.3, tls1.2, tcp (default: quic and tls1.3, as far as the servers speak them)',
    read: severalOf(...CONNECTION_TRANSPORT_NAMES),
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
    said: ownChoiceLines(CONNECTION_CHOICES, ({ requests, requestPath }) => [
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
    said: ownChoiceLines(CONNECTION_CHOICES, ({ localPort }) => [
      ['Port of the client', localPort === null ? 'any' : `${localPort}`],
    ]),
  },
  trust: {
    ...LIVE_OPTIONS.trust,
    said: ownChoiceLines(CONNECTION_CHOICES, ({ trust }) => [
      ['Certificates', TRUSTED.get(trust ?? '') ?? `of the authorities in ${trust}`],
    ]),
  },
  every: {
    argument: 'TIME',
    help: 'time between the starts of two rounds of all hosts: 90s, 10m, 1h; needs --repetitions N (default: one round after the other)',
    read: durationMs,
    needs: 'live',
    said: ownChoiceLines(CONNECTION_CHOICES, ({ everyMs }) =>
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

/** The same with those of all that it has otherwise. */
export const OPTIONS_OF_CONNECTIONS = {
  ...CONNECTION_OPTIONS,
  read: {
    ...TABLE_OPTIONS.read,
    help: 'measures nothing: makes a run and its report of a table of connections, gzip or plain. Either connections.csv of a run, or a published file with the columns of B. Jaeger’s study of 2018; goes with --out and --dialect alone',
  },
};
