import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConnectDetails } from '../../../../../ground/records/connection-attempt.ts';
import { approve } from '../../../../../test/unit/approve.ts';
import { HOSTILE, rendered } from '../../../../../test/unit/experiments/rendered.ts';
import { autonomousSystems } from '../../../sections/autonomous-systems.ts';
import type { Connection } from '../../../sections/connections.ts';
import { autonomousSystems as rareSection } from '../../../sections.ts';
import { ARMS, fail, type MadeUpOptions, viewOf } from './made-up-connections.ts';

const HOSTS = Array.from({ length: 12 }, (_, place) => `h${place}.example`);

/** Systems of 6, 3 and 1 hosts; the eleventh is not routed, the last has no address. */
function addSystem({ subject }: Connection, details: ConnectDetails): void {
  const place = HOSTS.indexOf(subject);
  if (place === 11) return;
  if (place === 10) details.autonomousSystem = null;
  else if (place === 9) details.autonomousSystem = { number: 64502, name: 'SMALL' };
  else if (place > 5) details.autonomousSystem = { number: 64501, name: HOSTILE };
  else details.autonomousSystem = { number: 64500, name: 'LARGE' };
}

const MADE: MadeUpOptions = {
  hosts: HOSTS,
  arms: ARMS.slice(0, 2),
  rttMs: (place) => 10 + place,
  change: (connection, details) => {
    addSystem(connection, details);
    if (connection.subject === 'h0.example' && connection.arm === 'quic' && connection.block === 1)
      fail(connection, details, 'failed', { layer: 'udp', code: 'timeout', reason: 'None.' });
  },
};

test('shows hosts, attempts, failures and medians by system, and the spread in each', (t) => {
  const { rowsOf, outline, document } = rendered(autonomousSystems, viewOf(MADE));
  assert.deepEqual(rowsOf('Median time until the client may send'), [
    // Round-trip times of 10 to 15, 16 to 18, 19 and 20 ms; QUIC lacks one of 10 ms.
    ['AS64500 LARGE', '6', '24', '1', '28.0', '18.0'],
    [`AS64501 ${HOSTILE}`, '3', '12', '0', '37.0', '22.0'],
    ['AS64502 SMALL', '1', '4', '0', '41.0', '24.0'],
    ['not routed', '1', '4', '0', '43.0', '25.0'],
  ]);
  assert.equal(document.querySelectorAll('svg.chart').length, 3);
  approve(t, 'section', outline);
});

test('draws the six largest of many systems, and limits the rows of the table', () => {
  const hosts = Array.from({ length: 60 }, (_, place) => `h${place}.example`);
  const view = viewOf({
    ...MADE,
    hosts,
    change: ({ subject }, details) => {
      const number = Math.max(1, hosts.indexOf(subject));
      details.autonomousSystem = { number, name: '' };
    },
  });
  const { rowsOf, document, words } = rendered(autonomousSystems, view);
  assert.equal(rowsOf('Median').length, 50);
  assert.deepEqual(rowsOf('Median')[0]?.slice(0, 3), ['AS1', '2', '8']);
  assert.match(words, /; 50 of 59, connections\.csv has all/);
  assert.equal(document.querySelectorAll('svg.chart').length, 6);
});

test('is not loaded for runs without systems', () => {
  assert.equal(rareSection.isShown(viewOf({ hosts: HOSTS })), false);
  assert.equal(rareSection.isShown(viewOf(MADE)), true);
});
