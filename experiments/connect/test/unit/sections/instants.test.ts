import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rendered } from '../../../../../test/unit/experiments/rendered.ts';
import { instants } from '../../../sections/instants.ts';
import { viewOf } from './made-up-connections.ts';

test('shows for every instant the median of the hosts’ medians, and a dash if the protocol lacks it', () => {
  // Round-trip times of 10, 17 and 24 ms, each twice.
  const { rowsOf } = rendered(instants, viewOf());
  assert.deepEqual(rowsOf('Median over').slice(1), [
    ['tls1.3', '17.0', '37.0', '37.5', '–', '56.0', '58.0'],
    ['quic', '–', '22.0', '22.5', '39.0', '41.0', '43.0'],
    ['tls1.2', '17.0', '54.0', '54.5', '–', '73.0', '75.0'],
    ['tcp', '17.0', '17.0', '–', '–', '–', '–'],
  ]);
});

test('explains each measured instant, and no other', () => {
  const { document } = rendered(
    instants,
    viewOf({
      change: ({ metrics }) => {
        metrics.firstByteMs = null;
        metrics.totalMs = null;
      },
    }),
  );
  const explained = [...document.querySelectorAll('dt')].map(({ textContent }) => textContent);
  assert.deepEqual(explained, ['TCP', 'May send', 'Complete', 'Confirmed']);
});

test('omits the table for a run with one instant', () => {
  const view = viewOf({
    change: (connection) => {
      connection.metrics = { maySendMs: connection.metrics.maySendMs ?? null };
    },
  });
  assert.equal(instants.isShown?.(view), false);
});
