import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConnectDetails } from '../../../../ground/records/connection-attempt.ts';
import type { Observation } from '../../../../ground/records/observation.ts';
import { connect } from '../../experiment.ts';
import { madeUpConnections } from './sections/made-up-connections.ts';

test('reads a connection from before format 5.4 as a full one by Bun', () => {
  const [today] = madeUpConnections().observations;
  assert.ok(today);
  const old = { ...today, formatMinor: 3, details: { host: 'a.example', address: '10.0.0.1:443' } };
  const read = connect.upgrade?.(old) as unknown as Observation<ConnectDetails> | undefined;
  assert.deepEqual(read?.details, {
    transport: today.protocol === 'h3' ? 'quic' : 'tls1.3',
    host: 'a.example',
    address: '10.0.0.1:443',
    lookupMs: null,
    client: 'bun',
    resumption: 'none',
    facts: null,
    error: null,
  });
  assert.deepEqual(connect.upgrade?.({ ...today })?.details, today.details);
});
