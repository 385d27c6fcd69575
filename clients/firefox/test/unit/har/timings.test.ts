import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFields } from '../../../../../test/unit/assert-fields.ts';
import { channel, documentChannel, entryOf, harOf } from './load.ts';

test('splits a request over a new connection', () => {
  const [entry] = harOf([documentChannel()]).log.entries;
  assert.deepEqual(entry?.timings, {
    blocked: 2,
    dns: 1,
    connect: 3,
    ssl: 2.5,
    send: 0,
    wait: 10,
    receive: 4,
  });
  assert.equal(entry.time, 20);
});

const CASES: {
  name: string;
  facts: Parameters<typeof entryOf>[0];
  entry: Parameters<typeof assertFields>[1];
}[] = [
  {
    name: 'has no connection phases over an open connection',
    facts: {},
    entry: {
      time: 15,
      timings: { blocked: 2, dns: -1, connect: -1, ssl: -1, send: 0, wait: 10, receive: 3 },
    },
  },
  {
    name: 'has the time of a failed request as blocked, until the browser knew',
    facts: { status: 0, requestStartMs: 0, responseStartMs: 0, responseEndMs: 0, endedMs: 80 },
    entry: { time: 50, 'timings.blocked': 50, 'timings.wait': 0 },
  },
  {
    name: 'has the time of a cached response as waiting',
    facts: { cache: 'disk', requestStartMs: 0, responseStartMs: 0, responseEndMs: 0, endedMs: 33 },
    entry: { time: 3, 'timings.blocked': -1, 'timings.wait': 3 },
  },
  {
    name: 'ends an aborted response when it was aborted',
    facts: { responseEndMs: 0, endedMs: 62, error: 'NS_BINDING_ABORTED' },
    entry: { time: 32, 'timings.receive': 20 },
  },
  {
    name: 'counts a connection until the request when it has early data',
    facts: { connectStartMs: 30, tlsStartMs: 30, connectEndMs: 50 },
    entry: { time: 15, 'timings.connect': 2, 'timings.ssl': 2, 'timings.blocked': 0 },
  },
  {
    name: 'has no connect phase of a connection that was begun for another request',
    facts: { tlsStartMs: 25, connectEndMs: 31 },
    entry: { time: 15, 'timings.connect': -1, 'timings.ssl': -1, 'timings.blocked': 2 },
  },
  {
    name: 'counts nothing before the request, nor twice',
    facts: {
      dnsStartMs: 28,
      dnsEndMs: 31,
      connectStartMs: 30.5,
      tlsStartMs: 30.5,
      connectEndMs: 32,
    },
    entry: { time: 15, 'timings.dns': 1, 'timings.connect': 1, 'timings.blocked': 0 },
  },
];

for (const { name, facts, entry } of CASES) {
  test(name, () => assertFields(entryOf(facts), entry));
}

test('ends an unfinished response with the capture', () => {
  const unfinished = { endedMs: null, responseEndMs: 0 };
  const har = harOf([
    documentChannel(),
    channel(unfinished),
    channel({ openedMs: 31, responseEndMs: 90 }),
  ]);
  assert.equal(har.log.entries[1]?.timings.receive, 48);
});
