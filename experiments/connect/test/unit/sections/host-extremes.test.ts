import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOSTILE, rendered } from '../../../../../test/unit/experiments/rendered.ts';
import { hostExtremes } from '../../../sections/host-extremes.ts';
import { viewOf } from './made-up-connections.ts';

const HOSTS = Array.from({ length: 24 }, (_, place) => (place === 23 ? HOSTILE : `h${place}`));

test('shows the ten slowest hosts of each stack with medians, counts and look-ups, the slowest first', () => {
  const { rowsOf } = rendered(hostExtremes, viewOf({ hosts: HOSTS }));
  assert.equal(rowsOf('quic: the slowest').length, 10);
  const rows = rowsOf('tls1.3: the slowest');
  // A round-trip time of 171 ms, a first look-up of 43 ms and a second one of 1 ms.
  assert.deepEqual(rows[0], [HOSTILE, '345.0', '2', '22.0']);
  assert.deepEqual(
    rows.slice(1).map(([host]) => host),
    [22, 21, 20, 19, 18, 17, 16, 15, 14].map((place) => `h${place}`),
  );
});

test('shows the hosts at which a stack gains and loses most at either end, with an interval from 6 pairs on', () => {
  const change = (
    connection: { subject: string; metrics: Record<string, number | null> },
    { transport }: { transport: string },
  ) => {
    // Twelve hosts at which QUIC is slower by 1 to 12 ms; at the rest it saves a round trip.
    const place = HOSTS.indexOf(connection.subject);
    if (transport === 'quic' && place < 12)
      connection.metrics.maySendMs = 2 * (10 + 7 * place) + 4 + place;
  };
  const { rowsOf } = rendered(hostExtremes, viewOf({ hosts: HOSTS, repetitions: 6, change }));
  const rows = rowsOf('quic minus tls1.3');
  assert.equal(rows.length, 22);
  assert.deepEqual(rows[0], ['The compared stack takes less time']);
  assert.deepEqual(rows[1], [HOSTILE, '−169', '6']);
  assert.deepEqual(rows[11], ['The compared stack takes more time']);
  assert.deepEqual(
    rows.slice(12).map(([host]) => host),
    [11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((place) => `h${place}`),
  );
  assert.equal(rows[12]?.[1], '+12.0');
});

test('reports that a stack is slower at no host', () => {
  const { rowsOf } = rendered(hostExtremes, viewOf({ hosts: HOSTS }));
  assert.deepEqual(rowsOf('quic minus tls1.3').at(-1), [
    'The compared stack takes more time: at none',
  ]);
});

test('omits the table if ten hosts fit into the table of all', () => {
  assert.equal(hostExtremes.isShown?.(viewOf({ hosts: HOSTS.slice(0, 10) })), false);
});
