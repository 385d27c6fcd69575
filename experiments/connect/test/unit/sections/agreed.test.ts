import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOSTILE, rendered } from '../../../../../test/unit/experiments/rendered.ts';
import { agreed } from '../../../sections/agreed.ts';
import { ARMS, viewOf } from './made-up-connections.ts';

test('counts connections and hosts of each combination of version, cipher and group, the most frequent first', () => {
  const view = viewOf({
    change: ({ subject }, { facts, transport }) => {
      if (facts && transport === 'quic' && subject === 'a.example') facts.group = 'X25519MLKEM768';
    },
  });
  assert.deepEqual(rendered(agreed, view).rowsOf('TLS version'), [
    ['tls1.3', 'TLS 1.3', 'TLS_AES_128_GCM_SHA256', 'X25519', '6', '3'],
    ['quic', 'TLS 1.3', 'TLS_AES_128_GCM_SHA256', 'X25519', '4', '2'],
    ['quic', 'TLS 1.3', 'TLS_AES_128_GCM_SHA256', 'X25519MLKEM768', '2', '1'],
    ['tls1.2', 'TLS 1.2', 'TLS_AES_128_GCM_SHA256', 'X25519', '6', '3'],
  ]);
});

test('shows tickets and early data only of connections that resume a session', () => {
  assert.doesNotMatch(rendered(agreed, viewOf()).text, /Tickets and early data/);
  const view = viewOf({
    arms: [
      ...ARMS,
      { arm: 'again', transport: 'tls1.3', resumption: 'early-data', roundTrips: 1, workMs: 1 },
    ],
    change: ({ subject }, { facts, resumption }) => {
      if (!facts || resumption === 'none') return;
      if (subject === 'a.example') facts.earlyData = 'rejected';
      if (subject === 'b.example') Object.assign(facts, { resumed: null, earlyData: null });
    },
  });
  assert.deepEqual(rendered(agreed, view).rowsOf('Tickets and early data').toSorted(), [
    ['again', 'accepted', 'accepted', '2', '1'],
    ['again', 'accepted', 'rejected', '2', '1'],
  ]);
});

test('escapes names from servers', () => {
  const view = viewOf({
    change: (_, { facts }) => {
      if (facts) facts.alpn = HOSTILE;
    },
  });
  assert.ok(rendered(agreed, view).rowsOf('Application protocol')[0]?.includes(HOSTILE));
});

test('omits the section without facts from clients', () => {
  const view = viewOf({
    change: (_, details) => {
      details.facts = null;
    },
  });
  assert.equal(agreed.isShown?.(view), false);
});
