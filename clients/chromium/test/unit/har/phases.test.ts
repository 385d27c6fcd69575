import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { buildHar } from '../../../har/build.ts';
import type { CdpEvent } from '../../../har/events.ts';
import type { Har, HarEntry } from '../../../har/har.ts';
import { phasesOf } from '../../../har/phases.ts';
import { ABOUT } from './load.ts';

/** The request of the main document, 5 ms after navigationStart. */
const REQUESTED_MS = Date.UTC(2026, 0, 1);
const BEFORE_REQUEST_MS = 5;

interface Asked {
  /** Since navigationStart. */
  startMs: number;
  blocked?: number;
  dns?: number;
  connect?: number;
  send?: number;
  wait?: number;
  receive?: number;
  status?: number;
  fromCache?: 'memory' | 'disk';
}

function entry({ startMs, status = 200, fromCache, ...phases }: Asked): HarEntry {
  const { blocked = -1, dns = -1, connect = -1, send = 0, wait = 0, receive = 0 } = phases;
  return {
    startedDateTime: new Date(REQUESTED_MS - BEFORE_REQUEST_MS + startMs).toISOString(),
    timings: { blocked, dns, connect, ssl: connect, send, wait, receive },
    response: { status },
    ...(fromCache && { _fromCache: fromCache }),
  } as HarEntry;
}

function harOf(asked: readonly Asked[], loadMs: number): Har {
  const startedDateTime = new Date(REQUESTED_MS).toISOString();
  const onLoad = loadMs < 0 ? -1 : loadMs - BEFORE_REQUEST_MS;
  const pages = [{ startedDateTime, pageTimings: { onContentLoad: -1, onLoad } }];
  return { log: { pages, entries: asked.map(entry) } } as unknown as Har;
}

const splitOf = (asked: readonly Asked[], loadMs: number) => phasesOf(harOf(asked, loadMs), loadMs);

test('the phases of a single request are told apart, with everything else as the rest', () => {
  const document = { startMs: 5, blocked: 2, dns: 1, connect: 60, send: 1, wait: 30, receive: 10 };
  assert.deepEqual(splitOf([document], 200), { setUp: 61, waiting: 31, transfer: 10, rest: 98 });
});

test('ssl lies inside connect and is not counted a second time', () => {
  const har = harOf([{ startMs: 0, connect: 60, wait: 40 }], 100);
  for (const { timings } of har.log.entries) timings.ssl = 30;
  assert.deepEqual(phasesOf(har, 100), { setUp: 60, waiting: 40, transfer: 0, rest: 0 });
});

test('an instant in which requests do different things belongs to the one furthest on', () => {
  const asked = [
    { startMs: 0, connect: 10, wait: 10, receive: 20 },
    { startMs: 10, connect: 60, wait: 10 },
    { startMs: 30, wait: 20 },
  ];
  // Receiving 20-40, then waiting to 50, then connecting to 70, then waiting to 80.
  assert.deepEqual(splitOf(asked, 100), { setUp: 30, waiting: 30, transfer: 20, rest: 20 });
});

test('time in which a request was held back puts its phases off and is none itself', () => {
  const asked = [
    { startMs: 0, wait: 20 },
    { startMs: 0, blocked: 30, wait: 10 },
  ];
  assert.deepEqual(splitOf(asked, 60), { setUp: 0, waiting: 30, transfer: 0, rest: 30 });
});

test('requests that do the same at the same time count once', () => {
  const asked = [
    { startMs: 0, wait: 30, receive: 10 },
    { startMs: 10, wait: 20, receive: 30 },
    { startMs: 10, wait: 20, receive: 15 },
  ];
  assert.deepEqual(splitOf(asked, 60), { setUp: 0, waiting: 30, transfer: 30, rest: 0 });
});

test('nothing counts before navigationStart or after the load event', () => {
  const asked = [
    { startMs: -10, connect: 20 },
    { startMs: 90, wait: 30 },
    { startMs: 150, wait: 30 },
  ];
  assert.deepEqual(splitOf(asked, 100), { setUp: 10, waiting: 10, transfer: 0, rest: 80 });
});

test('time zero is navigationStart, which the load event tells, and not the request of the document', () => {
  const har = harOf([{ startMs: 5, wait: 50 }], 55);
  // By the page the same load event came 20 ms later, so navigationStart was 20 ms earlier.
  assert.equal(phasesOf(har, 55)?.rest, 5);
  assert.equal(phasesOf(har, 75)?.rest, 25);
});

test('what came from a cache or got no response is left out', () => {
  const asked: Asked[] = [
    { startMs: 0, wait: 40, fromCache: 'disk' },
    { startMs: 0, blocked: 90, status: 0 },
    { startMs: 50, wait: 10 },
  ];
  assert.deepEqual(splitOf(asked, 100), { setUp: 0, waiting: 10, transfer: 0, rest: 90 });
});

test('a load without a load event, or without a duration, has no phases', () => {
  assert.equal(phasesOf(harOf([{ startMs: 0, wait: 40 }], -1), 100), null);
  assert.equal(splitOf([], Number.NaN), null);
  assert.equal(phasesOf({ log: { pages: [], entries: [] } } as unknown as Har, 100), null);
});

for (const protocol of ['h3', 'h2', 'h1']) {
  test(`the phases of a recorded load by ${protocol} add up, and each takes place`, () => {
    const file = path.join(import.meta.dirname, 'recorded', `${protocol}.json`);
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
