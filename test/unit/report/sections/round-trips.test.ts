import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TrafficRecord } from '../../../../clients/chromium/records.ts';
import type { PageLoadDetails } from '../../../../experiments/page-load/details.ts';
import type { ConnectionRecord, ConnectionsSeen } from '../../../../records/connection.ts';
import { roundTripsToFirstByte } from '../../../../report/sections/stack-why.ts';

/** What is known of a load by the TLS of its document alone. */
const detailsOf = (tlsVersion: string | null): PageLoadDetails => ({
  phasesMs: null,
  replay: null,
  traffic: { tlsVersion } as TrafficRecord,
});

function openedTo(host: string, earlyData: ConnectionRecord['earlyData']): ConnectionsSeen {
  const connection: ConnectionRecord = {
    ...{ host, address: '10.0.0.1:443', clientPort: 40_123, transport: 'quic' },
    ...{ tlsVersion: 'TLS 1.3', cipher: null, handshake: 'full', earlyData },
    offered: earlyData === 'none' ? 'full' : 'early-data',
  };
  return { opened: [connection], whole: true };
}

test('QUIC needs two round trips to the first byte, TLS 1.3 three, TLS 1.2 four', () => {
  const expected = { QUIC: 2, 'TLS 1.3': 3, 'TLS 1.2': 4 };
  for (const [tlsVersion, roundTrips] of Object.entries(expected)) {
    const details = detailsOf(tlsVersion);
    assert.equal(roundTripsToFirstByte({ details, connections: null }, 'a.test'), roundTrips);
    const connections = openedTo('a.test', 'none');
    assert.equal(roundTripsToFirstByte({ details, connections }, 'a.test'), roundTrips);
  }
});

test('a request that went along with the handshake saves one, unless the server refused it', () => {
  const details = detailsOf('QUIC');
  const tripsWith = (earlyData: ConnectionRecord['earlyData']) =>
    roundTripsToFirstByte({ details, connections: openedTo('a.test', earlyData) }, 'a.test');
  assert.equal(tripsWith('accepted'), 1);
  assert.equal(tripsWith('rejected'), 2);
});

test('where the handshake of the document is not known, no number is made up', () => {
  const connections = openedTo('elsewhere.test', 'none');
  assert.equal(roundTripsToFirstByte({ details: null, connections: null }, 'a.test'), null);
  const withoutHar = { ...detailsOf(null), traffic: null };
  assert.equal(roundTripsToFirstByte({ details: withoutHar, connections: null }, 'a.test'), null);
  for (const tlsVersion of [null, 'TLS 9']) {
    const details = detailsOf(tlsVersion);
    assert.equal(roundTripsToFirstByte({ details, connections: null }, 'a.test'), null);
  }
  assert.equal(roundTripsToFirstByte({ details: detailsOf('QUIC'), connections }, 'a.test'), null);
});
