import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { buildHar } from '../../../chromium/har/build.ts';
import type { CdpEvent } from '../../../chromium/har/events.ts';
import { ABOUT } from '../../../chromium/test/unit/har/load.ts';
import type { Har, HarEntry } from '../../har.ts';
import { phasesOf, waitingBeyondMs } from '../../phases.ts';

/** The request of the main document, 5 ms after navigationStart. */
const REQUESTED_MS = Date.UTC(2026, 0, 1);
const BEFORE_REQUEST_MS = 5;

const RECORDED = path.join(import.meta.dirname, '../../../chromium/test/unit/har/recorded');

interface RequestPhases {
  /** Since navigationStart. */
  startMs: number;
  blocked?: number;
  dns?: number;
  connect?: number;
  send?: number;
  wait?: number;
  receive?: number;
  status?: number;
  serverTiming?: string;
  fromCache?: 'memory' | 'disk';
}

function entry({
  startMs,
  status = 200,
  serverTiming,
  fromCache,
  ...phases
}: RequestPhases): HarEntry {
  const { blocked = -1, dns = -1, connect = -1, send = 0, wait = 0, receive = 0 } = phases;
  return {
    startedDateTime: new Date(REQUESTED_MS - BEFORE_REQUEST_MS + startMs).toISOString(),
    timings: { blocked, dns, connect, ssl: connect, send, wait, receive },
    response: {
      status,
      headers: serverTiming === undefined ? [] : [{ name: 'Server-Timing', value: serverTiming }],
    },
    ...(fromCache && { _fromCache: fromCache }),
  } as HarEntry;
}

function harOf(requests: readonly RequestPhases[], loadMs: number): Har {
  const startedDateTime = new Date(REQUESTED_MS).toISOString();
  const onLoad = loadMs < 0 ? -1 : loadMs - BEFORE_REQUEST_MS;
  const pages = [{ startedDateTime, pageTimings: { onContentLoad: -1, onLoad } }];
  return { log: { pages, entries: requests.map(entry) } } as unknown as Har;
}

const splitOf = (requests: readonly RequestPhases[], loadMs: number) =>
  phasesOf(harOf(requests, loadMs), loadMs);

test('splits a single request into its phases, with the remaining time as the rest', () => {
  const document = { startMs: 5, blocked: 2, dns: 1, connect: 60, send: 1, wait: 30, receive: 10 };
  assert.deepEqual(splitOf([document], 200), { setUp: 61, waiting: 31, transfer: 10, rest: 98 });
});

test('counts ssl once, within connect', () => {
  const har = harOf([{ startMs: 0, connect: 60, wait: 40 }], 100);
  for (const { timings } of har.log.entries) timings.ssl = 30;
  assert.deepEqual(phasesOf(har, 100), { setUp: 60, waiting: 40, transfer: 0, rest: 0 });
});

test('assigns an instant of several requests to the most advanced phase', () => {
  const requests = [
    { startMs: 0, connect: 10, wait: 10, receive: 20 },
    { startMs: 10, connect: 60, wait: 10 },
    { startMs: 30, wait: 20 },
  ];
  // Receiving 20-40, then waiting to 50, then connecting to 70, then waiting to 80.
  assert.deepEqual(splitOf(requests, 100), { setUp: 30, waiting: 30, transfer: 20, rest: 20 });
});

test('delays the phases by the time that a request was held back, which is no phase itself', () => {
  const requests = [
    { startMs: 0, wait: 20 },
    { startMs: 0, blocked: 30, wait: 10 },
  ];
  assert.deepEqual(splitOf(requests, 60), { setUp: 0, waiting: 30, transfer: 0, rest: 30 });
});

test('counts the same phase of parallel requests once', () => {
  const requests = [
    { startMs: 0, wait: 30, receive: 10 },
    { startMs: 10, wait: 20, receive: 30 },
    { startMs: 10, wait: 20, receive: 15 },
  ];
  assert.deepEqual(splitOf(requests, 60), { setUp: 0, waiting: 30, transfer: 30, rest: 0 });
});

test('counts nothing before navigationStart or after the load event', () => {
  const requests = [
    { startMs: -10, connect: 20 },
    { startMs: 90, wait: 30 },
    { startMs: 150, wait: 30 },
  ];
  assert.deepEqual(splitOf(requests, 100), { setUp: 10, waiting: 10, transfer: 0, rest: 80 });
});

test("takes time zero from navigationStart by the load event, not from the document's request", () => {
  const har = harOf([{ startMs: 5, wait: 50 }], 55);
  // The page reports the same load event 20 ms later, so navigationStart was 20 ms earlier.
  assert.equal(phasesOf(har, 55)?.rest, 5);
  assert.equal(phasesOf(har, 75)?.rest, 25);
});

test('excludes requests from a cache or without a response', () => {
  const requests: RequestPhases[] = [
    { startMs: 0, wait: 40, fromCache: 'disk' },
    { startMs: 0, blocked: 90, status: 0 },
    { startMs: 50, wait: 10 },
  ];
  assert.deepEqual(splitOf(requests, 100), { setUp: 0, waiting: 10, transfer: 0, rest: 90 });
});

test('has no phases for a load without a load event or a duration', () => {
  assert.equal(phasesOf(harOf([{ startMs: 0, wait: 40 }], -1), 100), null);
  assert.equal(splitOf([], Number.NaN), null);
  assert.equal(phasesOf({ log: { pages: [], entries: [] } } as unknown as Har, 100), null);
});

for (const protocol of ['h3', 'h2', 'h1']) {
  test(`adds up the phases of a recorded load by ${protocol}, each of them present`, () => {
    const file = path.join(RECORDED, `${protocol}.json`);
    const events: CdpEvent[] = JSON.parse(readFileSync(file, 'utf8'));
    const har = buildHar(events, ABOUT);
    const pageLoadMs = (har.log.pages[0]?.pageTimings.onLoad ?? 0) + 3;
    const phasesMs = phasesOf(har, pageLoadMs);
    assert.ok(phasesMs);
    const sumMs = Object.values(phasesMs).reduce((sum, ms) => sum + ms, 0);
    assert.ok(Math.abs(sumMs - pageLoadMs) < 1e-6);
    for (const [name, ms] of Object.entries(phasesMs)) assert.ok(ms > 0, `${name}: ${ms} ms`);
  });
}

test('divides waiting into a round trip and the rest, which no request may have begun', () => {
  const beyondOf = (requests: readonly RequestPhases[], rttMs: number | null) =>
    waitingBeyondMs(harOf(requests, 400), 400, rttMs);
  const slow = { startMs: 10, wait: 80 };
  assert.equal(beyondOf([slow], 30), 50);
  assert.equal(beyondOf([slow], 100), 0);
  assert.equal(beyondOf([slow], null), null);
  assert.equal(beyondOf([{ ...slow, serverTiming: 'db;dur=20, app;dur=45.5' }], null), 45.5);
  // From 50 to 80 the second request is within its round trip.
  assert.equal(beyondOf([slow, { startMs: 50, wait: 30, receive: 5 }], 30), 10 + 5);
  // From 60 to 90 another response arrives.
  assert.equal(beyondOf([slow, { startMs: 10, wait: 50, receive: 30 }], 30), 20);
});
