import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rendered } from '../../../../../test/unit/experiments/rendered.ts';
import { DELAYED, NONE } from '../../../../../test/unit/report/fixture-run.ts';
import { handshakes } from '../../../sections/handshakes.ts';
import { ARMS, type MadeUpOptions, viewOf } from './made-up-connections.ts';

const HOSTS = Array.from({ length: 8 }, (_, place) => `host-${place}.example`);
const FAR = { ...NONE, name: '80ms', rttMs: 80 };

/** Over a path of this project's own every host has the same round-trip time. */
const LOCAL: MadeUpOptions = {
  networks: [NONE, DELAYED, FAR],
  isMeasured: true,
  rttMs: (_, { rttMs }) => rttMs + 1,
};

test('over several delays each instant has its protocol’s round trips, those found, and what is left of it', () => {
  const { rowsOf, document } = rendered(handshakes, viewOf(LOCAL));
  assert.deepEqual(rowsOf('The line through').slice(0, 12), [
    ['tls1.3 full handshakes'],
    ['TCP', '1', '1.00', '0.0', '3'],
    ['May send', '2', '2.00', '3.0', '3'],
    ['Complete', '2', '2.00', '3.5', '3'],
    ['First byte', '3', '3.00', '5.0', '3'],
    ['Whole response', '–', '3.00', '7.0', '3'],
    ['quic full handshakes'],
    ['May send', '1', '1.00', '5.0', '3'],
    ['Complete', '1', '1.00', '5.5', '3'],
    ['Confirmed', '2', '2.00', '5.0', '3'],
    ['First byte', '2', '2.00', '7.0', '3'],
    ['Whole response', '–', '2.00', '9.0', '3'],
  ]);
  assert.deepEqual(rowsOf('Median time until')[0], [
    'tls1.3',
    '5.0at 1.0',
    '65.0at 31.0',
    '165.0at 81.0',
  ]);
  const chart = document.querySelector('svg.chart');
  assert.match(chart?.textContent ?? '', /1 round trip.*2 round trips.*3 round trips/s);
});

test('a way that waits for more than its protocol does is found out', () => {
  const view = viewOf({
    ...LOCAL,
    arms: [
      ...ARMS,
      { arm: 'retry', transport: 'quic', resumption: 'none', roundTrips: 2, workMs: 5 },
    ],
  });
  const rows = rendered(handshakes, view).rowsOf('The line through');
  const own = rows.slice(rows.findIndex(([name]) => name?.startsWith('retry')));
  assert.deepEqual(own[1], ['May send', '1', '2.00', '5.0', '3']);
});

test('tickets and early data change what the protocol waits for', () => {
  const view = viewOf({
    ...LOCAL,
    arms: [
      { arm: 'tls1.2 again', transport: 'tls1.2', resumption: 'ticket', roundTrips: 2, workMs: 1 },
      { arm: 'quic 0-RTT', transport: 'quic', resumption: 'early-data', roundTrips: 0, workMs: 1 },
    ],
  });
  const rows = rendered(handshakes, view).rowsOf('The line through');
  assert.deepEqual(rows[0], ['tls1.2 again with a ticket']);
  assert.deepEqual(rows[2], ['May send', '2', '2.00', '1.0', '3']);
  const quic = rows.findIndex(([name]) => name === 'quic 0-RTT with early data');
  assert.deepEqual(rows[quic + 1], ['May send', '0', '0.00', '1.0', '3']);
});

test('keeps the column of a delay at which a stack has no time', () => {
  const { rowsOf } = rendered(
    handshakes,
    viewOf({
      ...LOCAL,
      change: ({ network, metrics }, { transport }) => {
        if (network.name === DELAYED.name && transport === 'quic') metrics.maySendMs = null;
      },
    }),
  );
  assert.deepEqual(rowsOf('Median time until')[1], ['quic', '6.0at 1.0', '–', '86.0at 81.0']);
});

test('live hosts are held against their own TCP handshakes, and one odd host in eight hardly matters', () => {
  const view = viewOf({
    hosts: HOSTS,
    change: ({ subject, metrics }, { transport }) => {
      if (subject === HOSTS[4] && transport === 'quic') metrics.maySendMs = 900;
    },
  });
  const { rowsOf, words } = rendered(handshakes, view);
  const rows = rowsOf('The line through');
  assert.deepEqual(rows[1], ['May send', '2', '2.00', '3.0', '8']);
  const quic = rows.findIndex(([name]) => name?.startsWith('quic'));
  assert.deepEqual(rows[quic + 1]?.slice(0, 3), ['May send', '1', '1.00']);
  assert.ok(
    !rows.some(([name]) => name === 'TCP' || name?.startsWith('tcp')),
    'TCP against itself',
  );
  assert.match(words, /median of its TCP handshakes/);
});

test('a host without a TCP handshake takes no part, for nothing is known of its round-trip time', () => {
  const view = viewOf({
    hosts: HOSTS,
    change: ({ subject, metrics }) => {
      if (subject === HOSTS[0]) metrics.tcpMs = null;
    },
  });
  assert.equal(rendered(handshakes, view).rowsOf('The line through')[1]?.at(-1), '7');
});

test('splits medians into round trips and the rest with one delay or few live hosts', () => {
  const local = rendered(handshakes, viewOf({ ...LOCAL, networks: [DELAYED] }));
  assert.deepEqual(local.rowsOf('Median time until').slice(0, 2), [
    ['tls1.3', '65.0', '2', '62.0', '3.0'],
    ['quic', '36.0', '1', '31.0', '5.0'],
  ]);
  const live = rendered(handshakes, viewOf());
  assert.deepEqual(live.rowsOf('Median time until')[1], ['quic', '22.0', '1', '17.0', '5.0']);
  assert.equal(live.document.querySelectorAll('svg.chart').length, 0);
});

test('two address families have a heading of their own each', () => {
  const headingsOf = (options: MadeUpOptions) =>
    [...rendered(handshakes, viewOf(options)).document.querySelectorAll('h3')].map(
      ({ textContent }) => textContent,
    );
  assert.deepEqual(headingsOf({ ...LOCAL, families: [4, 6] }), [
    'none, 30ms, 80ms',
    'none, 30ms, 80ms, IPv6',
  ]);
  assert.deepEqual(headingsOf({ hosts: HOSTS, families: [4, 6] }), [
    'No added delay',
    'No added delay, IPv6',
  ]);
});

test('without round-trip times there is nothing to hold times against', () => {
  const view = viewOf({
    change: ({ metrics }) => {
      metrics.tcpMs = null;
    },
  });
  assert.equal(handshakes.isShown?.(view), false);
});
