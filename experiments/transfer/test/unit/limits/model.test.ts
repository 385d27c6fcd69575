import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitedByOf } from '../../../limits/model.ts';
import type { SenderSample } from '../../../limits/observed-transfer.ts';
import { type ObservedOptions, observed, QUIET } from './made-up.ts';

function limitOf(madeUp: ObservedOptions) {
  return limitedByOf(observed(madeUp)).limit;
}

const FULL = { inFlightBytes: QUIET.cwndBytes };

test('explains a transfer that ends soon after its first byte by round trips', () => {
  const { limit, because, observed: seen } = limitedByOf(observed({ lastByteMs: 130 }));
  assert.equal(limit, 'round trips');
  assert.match(
    because,
    /^For 128 of 130 ms the client waited for a handshake or a response, at a round trip of 40 ms\.$/,
  );
  assert.equal(Math.round(seen.roundTripsPercent ?? 0), 98);
});

test('reports the processor for a handshake that computes instead of waiting', () => {
  const madeUp = { lastByteMs: 130, client: () => 0.5, server: () => 0.45 };
  assert.equal(limitOf(madeUp), 'processor');
});

test('reports loss for a handshake with a lost packet, except for its round trips', () => {
  const madeUp: ObservedOptions = {
    firstByteMs: 1200,
    lastByteMs: 1250,
    link: (atMs) => ({ lost: atMs === 40 ? 1 : 0 }),
  };
  assert.equal(limitOf(madeUp), 'loss');
});

test('does not explain handshake time beyond its round trips without a loss', () => {
  const {
    limit,
    because,
    observed: seen,
  } = limitedByOf(observed({ connectMs: 1160, firstByteMs: 1200, lastByteMs: 1250 }));
  assert.equal(limit, null);
  assert.match(because, /transport reported nothing/);
  // Four of 40 ms, and the whole body as the fifth.
  assert.equal(Math.round(seen.roundTripsPercent ?? 0), Math.round((100 * (160 + 50)) / 1250));
});

test('reports the server if it waits after the handshake, also one that reports nothing', () => {
  const slow: ObservedOptions = { firstByteMs: 620, lastByteMs: 640 };
  const { because, observed: seen } = limitedByOf(observed(slow));
  assert.match(because, /the server had the request and sent nothing/);
  // From 80 to 620 ms, without 40 ms for the round trip, and 2 % of work.
  assert.equal(Math.round(((seen.serverPercent ?? 0) * 640) / 100), 489);
  assert.equal(limitOf({ ...slow, sender: null }), 'server');
  assert.equal(limitOf({ ...slow, connectMs: null }), null);
  assert.equal(limitOf({ ...slow, sends: 'client' }), null);
  // What the server reports itself counts also after a loss.
  const lossy = { ...slow, link: (atMs: number) => ({ lost: atMs === 100 ? 1 : 0 }) };
  assert.equal(limitOf({ ...lossy, serverMs: 450 }), 'server');
  assert.notEqual(limitOf({ ...lossy, serverMs: 5 }), 'server');
  // A short wait is not the main limit, but is named.
  const short = limitedByOf(observed({ firstByteMs: 170, lastByteMs: 180, sender: null }));
  assert.match(short.because, /a handshake or a response.* The server itself took 48 of 180 ms\.$/);
  assert.equal(limitOf({ firstByteMs: 170, lastByteMs: 180, sender: null }), 'round trips');
  assert.equal(limitOf({ ...slow, server: () => 0.95 }), 'processor');
  assert.equal(limitOf({ ...slow, link: (atMs) => ({ lost: atMs === 100 ? 1 : 0 }) }), 'loss');
});

test('reports the server if it answers an upload long after its last packet', () => {
  const upload = (lastPacketMs: number, bytes = 60): ObservedOptions => ({
    sends: 'client',
    link: (atMs) => (atMs > lastPacketMs ? { bytes } : {}),
  });
  const { limit, observed: seen } = limitedByOf(observed(upload(300)));
  assert.equal(limit, 'server');
  // From 350 to 1000 ms, without 2 % of work.
  assert.equal(Math.round((seen.serverPercent ?? 0) * 10), 637);
  assert.notEqual(limitOf(upload(300, 10_000)), 'server');
  assert.notEqual(limitOf({ ...upload(300), link: null }), 'server');
  assert.equal(limitOf({ ...upload(300), server: () => 0.95 }), 'processor');
});

test('reports the link if it sends until the first byte, a whole record', () => {
  const { limit, observed: seen } = limitedByOf(
    observed({
      firstByteMs: 300,
      lastByteMs: 310,
      link: (atMs) => ({ busyMs: atMs < 100 ? 0 : 10 }),
      client: () => 0.6,
    }),
  );
  assert.equal(limit, 'link');
  // Busy from 100 ms at the sender to 20 ms before the first byte, and in the last interval.
  assert.equal(Math.round(seen.linkPercent ?? 0), Math.round((100 * (180 + 10)) / 310));
  // The idle time of both is counted once.
  assert.equal(seen.roundTripsPercent, 0);
});

test('reports the congestion window if it is full, until a packet is lost', () => {
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

test('does not count drops of a full queue as loss, and uses retransmissions without link data', () => {
  const dropped: ObservedOptions = {
    sender: () => ({ ...FULL, lostPackets: 5 }),
    link: () => ({ queueDrops: 1 }),
  };
  assert.equal(limitOf(dropped), 'congestion window');
  assert.match(limitedByOf(observed(dropped)).because, /only a full queue dropped packets/);
  assert.equal(limitOf({ ...dropped, link: null }), 'loss');
});

test('reports the link if it sends all the time, however full the windows are', () => {
  assert.equal(limitOf({ sender: () => FULL, link: () => ({ busyMs: 9.8 }) }), 'link');
  assert.equal(limitOf({ sender: () => FULL, link: () => ({ busyMs: 8 }) }), 'congestion window');
});

test('reports a thread that is busy all the time, and names its end', () => {
  assert.equal(limitOf({ sender: () => FULL, server: () => 0.95 }), 'processor');
  const { limit, because } = limitedByOf(observed({ client: () => 0.97 }));
  assert.equal(limit, 'processor');
  assert.match(because, /The busiest was that of the client, for 97 % of all the time/);
});

test("never hides the link's own program as the limit", () => {
  const { limit, because } = limitedByOf(observed({ linkCpuMs: 950 }));
  assert.equal(limit, 'processor');
  assert.match(because, /The busiest was that of the link, for 95 %/);
});

test("reports the receive window from the kernel's own counter", () => {
  const held: ObservedOptions = {
    sender: (atMs) => ({ receiveWindowMs: atMs, notSentBytes: 9999 }),
  };
  assert.equal(limitOf(held), 'receive window');
});

test('reports the stream window if less than the congestion window is in flight and nothing is busy', () => {
  assert.equal(limitOf({}), 'stream window');
  assert.match(limitedByOf(observed({})).because, /the connection got only 40.0 kB/);
});

test('reports the smaller of the windows that a QUIC receiver offered', () => {
  const ofQuic = { notSentBytes: null, receiveWindowMs: null };
  const offering = (streamsBytes: number, connectionBytes: number) =>
    limitOf({ sender: () => ofQuic, offered: { streamsBytes, connectionBytes } });
  assert.equal(offering(50_000, 1_000_000), 'stream window');
  assert.equal(offering(1_000_000, 50_000), 'receive window');
});

test('does not guess without sender data, unless link or processor explain enough', () => {
  const { limit, because } = limitedByOf(observed({ sender: null }));
  assert.equal(limit, null);
  assert.match(because, /transport reported nothing/);
  assert.equal(limitOf({ sender: null, link: () => ({ busyMs: 10 }) }), 'link');
});

test('names both of two limits with equal times, and decides for neither', () => {
  const { limit, because } = limitedByOf(
    observed({
      sender: () => FULL,
      link: (atMs) => ({ busyMs: atMs < 540 ? 0 : 10 }),
    }),
  );
  assert.equal(limit, null);
  assert.match(because, /congestion window 4\d %, link 4\d %, round trips 1\d %/);
});

test('reports the processor for programs that alternate without path delay', () => {
  const near = { minRttMs: 0.1, rttMs: 0.1 };
  const inTurns: ObservedOptions = { sender: () => near, client: () => 0.5, server: () => 0.45 };
  assert.equal(limitOf(inTurns), 'processor');
  assert.equal(limitOf({ sender: () => near }), null);
});

test('attributes the last bytes in flight to the limit of the bytes before', () => {
  const { observed: seen } = limitedByOf(
    observed({ sender: (atMs) => (atMs < 950 ? FULL : { inFlightBytes: 1000 }) }),
  );
  assert.equal(seen.streamWindowPercent, 0);
});

test('only waits for a body that arrives within a round trip', () => {
  const { observed: seen } = limitedByOf(observed({ lastByteMs: 150 }));
  assert.ok((seen.roundTripsPercent ?? 0) > 97, `${seen.roundTripsPercent} %`);
  assert.equal(seen.streamWindowPercent, 0);
});

test('shifts sender observations by half a round trip for a download, and not for an upload', () => {
  const until500: ObservedOptions = { link: (atMs) => ({ busyMs: atMs < 500 ? 10 : 0 }) };
  const linkPercentOf = (madeUp: ObservedOptions) =>
    limitedByOf(observed(madeUp)).observed.linkPercent ?? 0;
  assert.equal(Math.round(linkPercentOf(until500)), 50);
  // The interval with the end does not belong to the link.
  assert.equal(Math.round(linkPercentOf({ ...until500, sends: 'client' })), 48);
});

/** A sender of which only packets on the path are known, in each sample. */
function ofPackets(sender: Partial<SenderSample>, options: ObservedOptions = {}): ObservedOptions {
  const seen = { cwndBytes: null, peakInFlightBytes: 50_000, fullWindow: null, ...sender };
  return { packets: 'with keys', sender: () => seen, ...options };
}

test('names the window that packets show to be full, and else the congestion window', () => {
  const full = { inFlightBytes: 50_000 };
  for (const window of ['receive window', 'stream window'] as const) {
    const { limit, because, packets } = limitedByOf(
      observed(ofPackets({ ...full, fullWindow: window })),
    );
    assert.equal(limit, window);
    assert.match(because, /limited the bytes in flight \(median 50\.0 kB\)\.$/);
    assert.equal(packets, 'with keys');
  }
  const { limit, because } = limitedByOf(observed(ofPackets(full)));
  assert.equal(limit, 'congestion window');
  assert.match(because, /stayed at their maximum .*, and no packet was lost\.$/);
  const lossy = { link: (atMs: number) => ({ lost: atMs === 150 ? 1 : 0 }) };
  assert.equal(limitOf(ofPackets(full, lossy)), 'loss');
  assert.equal(
    limitOf(ofPackets({ ...full, fullWindow: 'stream window' }, lossy)),
    'stream window',
  );
});

test('names a window that is full for as long as pacing leaves it, and none that is full briefly', () => {
  const fullFor = (shareOfTime: number) =>
    limitOf({
      packets: 'with keys',
      sender: (atMs) => ({
        cwndBytes: null,
        inFlightBytes: 50_000,
        peakInFlightBytes: 50_000,
        fullWindow: (atMs % 40) / 40 < shareOfTime ? 'stream window' : null,
      }),
    });
  assert.equal(fullFor(0.25), 'stream window');
  assert.equal(fullFor(0), 'congestion window');
});

test('names the server if its packets show that it paused, and says what they do not show', () => {
  const paused = limitedByOf(observed(ofPackets({ inFlightBytes: 0 })));
  assert.equal(paused.limit, 'server');
  assert.match(paused.because, /with nothing in flight and room in every window\.$/);
  assert.equal(limitOf(ofPackets({ inFlightBytes: 0 }, { sends: 'client' })), null);
  const half = limitedByOf(
    observed(ofPackets({ inFlightBytes: 20_000 }, { packets: 'without keys' })),
  );
  assert.equal(half.limit, null);
  assert.match(
    half.because,
    /packets without keys show neither a full window nor an idle sender\.$/,
  );
});

test('does not take packets in flight for a full window where they wait for programs', () => {
  const short = { minRttMs: 0.2, inFlightBytes: 50_000 };
  const busy = { client: () => 0.5, server: () => 0.4 };
  assert.equal(limitOf(ofPackets(short, busy)), 'processor');
  assert.equal(limitOf(ofPackets(short)), null);
  assert.equal(limitOf(ofPackets({ ...short, inFlightBytes: 0 })), 'server');
});

test('does not take waits of a busy server on this machine for a long path', () => {
  const answered = ofPackets(
    { minRttMs: 4, inFlightBytes: 50_000 },
    { client: () => 0.5, server: () => 0.4 },
  );
  const here = { ...observed(answered), pathRttMs: 0 };
  assert.equal(limitedByOf(here).limit, 'processor');
  assert.notEqual(limitedByOf({ ...here, occupation: null }).limit, 'processor');
});

test('takes a body whose packets arrive within one round trip for round trips', () => {
  assert.equal(limitOf(ofPackets({ inFlightBytes: 50_000 }, { lastByteMs: 150 })), 'round trips');
});
