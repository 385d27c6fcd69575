import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventMissed } from '../../../experiments/event-missed.ts';
import type { PathCounts } from '../../../ground/records/network.ts';

const PLANNED = { event: { kind: 'rebind', atMs: 500 } } as const;
const HAPPENED: NonNullable<PathCounts['event']> = {
  firstPacketMs: 10_000,
  happenedAtMs: 500,
  changedConnections: 1,
  laterConnections: 0,
  forgottenPackets: 3,
};

const codeOf = (event: Partial<typeof HAPPENED>, endedMs: number | null = 11_000) =>
  eventMissed(PLANNED, { event: { ...HAPPENED, ...event } }, endedMs, 'load')?.code ?? null;

test('accepts an attempt with its event, and one without a planned event', () => {
  assert.equal(codeOf({}), null);
  assert.equal(codeOf({}, null), null);
  assert.equal(eventMissed({}, {}, 11_000, 'load'), null);
});

test('rejects an attempt that ended before its event, with its duration', () => {
  assert.equal(codeOf({ happenedAtMs: null }), 'event-too-late');
  assert.equal(codeOf({}, 10_500), null);
  const missed = eventMissed(PLANNED, { event: HAPPENED }, 10_499, 'load');
  assert.equal(missed?.code, 'event-too-late');
  assert.match(missed.message, /^The load had ended after 499 ms when .* 500 ms after/);
});

test('accepts a cut that begins without a connection, and requires it to begin before the end', () => {
  const cut = { event: { kind: 'cut', atMs: 500, lastsMs: 3000 } } as const;
  const event = { ...HAPPENED, changedConnections: 0, forgottenPackets: 0 };
  assert.equal(eventMissed(cut, { event }, 11_000, 'load'), null);
  const missed = eventMissed(cut, { event }, 10_499, 'load');
  assert.equal(missed?.code, 'event-too-late');
  assert.match(missed.message, /was to be cut 500 ms .*--event cut@100ms\/3000ms/);
});

test('rejects an attempt without a connection at its event', () => {
  assert.equal(codeOf({ changedConnections: 0 }), 'event-without-connection');
});
