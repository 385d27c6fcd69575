import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitedByOf } from '../../../limits/model.ts';
import { type ObservedOptions, observed, QUIET } from './made-up.ts';

function limitOf(madeUp: ObservedOptions) {
  return limitedByOf(observed(madeUp)).limit;
}

const FULL = { inFlightBytes: QUIET.cwndBytes };

test('a transfer that is over soon after its first byte waited for round trips', () => {
  const { limit, because, observed: seen } = limitedByOf(observed({ lastByteMs: 130 }));
  assert.equal(limit, 'round trips');
  assert.match(
    because,
    /^For 128 of 130 ms the client waited for a handshake or a response, at a round trip of 40 ms\.$/,
  );
  assert.equal(Math.round(seen.roundTripsPercent ?? 0), 98);
});

test('a handshake that computes in place of waiting is limited by the processor', () => {
  const madeUp = { lastByteMs: 130, client: () => 0.5, server: () => 0.45 };
  assert.equal(limitOf(madeUp), 'processor');
});

test('a handshake of which a packet was lost waited for it, but for its round trips', () => {
  const madeUp: ObservedOptions = {
    firstByteMs: 1200,
    lastByteMs: 1250,
    link: (atMs) => ({ lost: atMs === 40 ? 1 : 0 }),
  };
  assert.equal(limitOf(madeUp), 'loss');
});

test('what a handshake took beyond its round trips without a loss is not told', () => {
  const {
    limit,
    because,
    observed: seen,
  } = limitedByOf(observed({ firstByteMs: 1200, lastByteMs: 1250 }));
  assert.equal(limit, null);
  assert.match(because, /transport reported nothing/);
  // Four of 40 ms, and the whole body as the fifth.
  assert.equal(Math.round(seen.roundTripsPercent ?? 0), Math.round((100 * (160 + 50)) / 1250));
});

test('a link that sends all the while until a first byte, a whole record, is the limit', () => {
  const { limit, observed: seen } = limitedByOf(
    observed({
      firstByteMs: 300,
      lastByteMs: 310,
      link: (atMs) => ({ busyMs: atMs < 100 ? 0 : 10 }),
      client: () => 0.6,
    }),
  );
  assert.equal(limit, 'link');
  // Busy from 100 ms at the sender to 20 ms before the first byte, and in the last while.
  assert.equal(Math.round(seen.linkPercent ?? 0), Math.round((100 * (180 + 10)) / 310));
  // The time in which neither was busy is nobody's twice.
  assert.equal(seen.roundTripsPercent, 0);
});

test('a sender with its congestion window full is limited by it, until a packet is lost', () => {
  assert.equal(limitOf({ sender: () => FULL }), 'congestion window');
  assert.equal(limitOf({ sender: () => ({ notSentBytes: 50_000 }) }), 'congestion window');
  const lost: ObservedOptions = {
    sender: () => FULL,
    link: (atMs) => ({ lost: atMs === 200 ? 1 : 0 }),
  };
  assert.equal(limitOf(lost), 'loss');
  const late: ObservedOptions = {
    sender: () => FULL,
    link: (atMs) => ({ lost: atMs === 800 ? 1 : 0 }),
  };
  assert.equal(limitOf(late), 'congestion window');
});

test('what a full queue dropped is no loss, and where no link tells, what was sent again is', () => {
  const dropped: ObservedOptions = {
    sender: () => ({ ...FULL, lostPackets: 5 }),
    link: () => ({ queueDrops: 1 }),
  };
  assert.equal(limitOf(dropped), 'congestion window');
  assert.match(limitedByOf(observed(dropped)).because, /only a full queue dropped packets/);
  assert.equal(limitOf({ ...dropped, link: null }), 'loss');
});

test('a link that sends all the time is the limit, however full the windows are', () => {
  assert.equal(limitOf({ sender: () => FULL, link: () => ({ busyMs: 9.8 }) }), 'link');
  assert.equal(limitOf({ sender: () => FULL, link: () => ({ busyMs: 8 }) }), 'congestion window');
});

test('a thread of either end that is occupied all the time is the limit, and whose it is is said', () => {
  assert.equal(limitOf({ sender: () => FULL, server: () => 0.95 }), 'processor');
  const { limit, because } = limitedByOf(observed({ client: () => 0.97 }));
  assert.equal(limit, 'processor');
  assert.match(because, /The busiest was that of the client, for 97 % of all the time/);
});

test("the link's own program is never silently the limit", () => {
  const { limit, because } = limitedByOf(observed({ linkCpuMs: 950 }));
  assert.equal(limit, 'processor');
  assert.match(because, /The busiest was that of the link, for 95 %/);
});

test("the kernel's own count tells a receive window that held it up", () => {
  const held: ObservedOptions = {
    sender: (atMs) => ({ receiveWindowMs: atMs, notSentBytes: 9999 }),
  };
  assert.equal(limitOf(held), 'receive window');
});

test('less on its way than the congestion window lets be, and nothing busy: the window of the streams', () => {
  assert.equal(limitOf({}), 'stream window');
  assert.match(limitedByOf(observed({})).because, /the connection got only 40.0 kB/);
});

test('the smaller of the windows that a receiver of QUIC offered is the one that is full', () => {
  const ofQuic = { notSentBytes: null, receiveWindowMs: null };
  const offering = (streamsBytes: number, connectionBytes: number) =>
    limitOf({ sender: () => ofQuic, offered: { streamsBytes, connectionBytes } });
  assert.equal(offering(50_000, 1_000_000), 'stream window');
  assert.equal(offering(1_000_000, 50_000), 'receive window');
});

test('with nobody to tell of the sender nothing is guessed, unless link or processor says enough', () => {
  const { limit, because } = limitedByOf(observed({ sender: null }));
  assert.equal(limit, null);
  assert.match(because, /transport reported nothing/);
  assert.equal(limitOf({ sender: null, link: () => ({ busyMs: 10 }) }), 'link');
});

test('two limits that held it up for equally long are both named, and neither is told', () => {
  const { limit, because } = limitedByOf(
    observed({
      sender: () => FULL,
      link: (atMs) => ({ busyMs: atMs < 540 ? 0 : 10 }),
    }),
  );
  assert.equal(limit, null);
  assert.match(because, /congestion window 4\d %, link 4\d %, round trips 1\d %/);
});

test('programs that take turns without a path to wait for are limited by the processor', () => {
  const near = { minRttMs: 0.1, rttMs: 0.1 };
  const inTurns: ObservedOptions = { sender: () => near, client: () => 0.5, server: () => 0.45 };
  assert.equal(limitOf(inTurns), 'processor');
  assert.equal(limitOf({ sender: () => near }), null);
});

test('the last bytes on their way belong to what held up those before', () => {
  const { observed: seen } = limitedByOf(
    observed({ sender: (atMs) => (atMs < 950 ? FULL : { inFlightBytes: 1000 }) }),
  );
  assert.equal(seen.streamWindowPercent, 0);
});

test('a body that comes within a round trip is only waited for', () => {
  const { observed: seen } = limitedByOf(observed({ lastByteMs: 150 }));
  assert.ok((seen.roundTripsPercent ?? 0) > 97, `${seen.roundTripsPercent} %`);
  assert.equal(seen.streamWindowPercent, 0);
});

test('what is seen at the sender is seen half a round trip before it arrives, and at once of an upload', () => {
  const until500: ObservedOptions = { link: (atMs) => ({ busyMs: atMs < 500 ? 10 : 0 }) };
  const linkPercentOf = (madeUp: ObservedOptions) =>
    limitedByOf(observed(madeUp)).observed.linkPercent ?? 0;
  assert.equal(Math.round(linkPercentOf(until500)), 50);
  // The while that the end falls into is not the link's.
  assert.equal(Math.round(linkPercentOf({ ...until500, sends: 'client' })), 48);
});
