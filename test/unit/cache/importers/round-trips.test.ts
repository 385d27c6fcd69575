import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roundTripsOf } from '../../../../cache/importers/round-trips.ts';
import { exampleExchange } from '../example-recording.ts';

test('takes the shortest connection to the host as a round trip, but no longer than its shortest wait', () => {
  const found = roundTripsOf([
    exampleExchange('https://a.test/1', { connectMs: 40, waitMs: 90 }),
    exampleExchange('https://a.test/2', { connectMs: 30, waitMs: 35 }),
    exampleExchange('https://b.test/', { connectMs: 50, waitMs: 20 }),
    exampleExchange('https://c.test/', { waitMs: 60 }),
    exampleExchange('https://d.test/', { connectMs: 10 }),
    exampleExchange('https://e.test/', { waitMs: -1 }),
  ]);
  assert.deepEqual(
    [...found],
    [
      ['a.test', 30],
      ['b.test', 20],
      ['c.test', 60],
    ],
  );
});
