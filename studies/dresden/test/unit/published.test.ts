import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { lineThroughMedians } from '../../../../report/summary/line-through-medians.ts';
import { median } from '../../../../statistics/median.ts';
import { medianInterval } from '../../../../statistics/median-interval.ts';
import { assertEach } from '../../../../test/unit/assert-each.ts';
import { numberOf, readCsv } from '../../../csv-rows.ts';
import {
  growthOf,
  meanAt,
  PUBLISHED_DELAYS_MS,
  type PublishedProtocol,
  type PublishedRun,
  printedMeans,
  publishedRuns,
} from '../../published.ts';

const DATA = path.join(import.meta.dirname, '..', '..', 'data');
const RUNS = publishedRuns();
const MEANS = printedMeans();
const SIDES = ['quic', 'tcp'] as const;

const runsOf = (protocol: PublishedProtocol, delayMs?: number) =>
  RUNS.filter(
    (run) => run.protocol === protocol && (delayMs === undefined || run.delayMs === delayMs),
  );

/** Rounded to this number of decimals, as in the texts. */
const rounded = (value: number | null, decimals = 1) =>
  Number((value ?? Number.NaN).toFixed(decimals));

/** Slope of a time of the runs over the mean ping: estimate and interval in round trips. */
function roundTripsOf(protocol: PublishedProtocol, of: (run: PublishedRun) => number): number[] {
  const points = PUBLISHED_DELAYS_MS.map((delayMs) => {
    const own = runsOf(protocol, delayMs);
    return { rttMs: median(own.map(({ pingMs }) => pingMs)) ?? Number.NaN, valuesMs: own.map(of) };
  });
  const { estimate, low, high } = lineThroughMedians(points, 2021)?.roundTrips ?? assert.fail();
  return [estimate, low, high].map((value) => rounded(value, 2));
}

/** The median of some runs, with its interval. */
function mediansOf(runs: readonly PublishedRun[], of: (run: PublishedRun) => number): number[] {
  const values = runs.map(of);
  const { low, high } = medianInterval(values) ?? assert.fail();
  return [median(values), low, high].map((value) => rounded(value));
}

test('there are ten runs by each protocol with each delay, of about that round-trip time and 4 ms', () => {
  assert.equal(RUNS.length, 80);
  for (const protocol of SIDES) {
    for (const delayMs of PUBLISHED_DELAYS_MS) {
      assert.equal(runsOf(protocol, delayMs).length, 10);
      const pingMs = meanAt(RUNS, protocol, delayMs, (run) => run.pingMs);
      assert.ok(Math.abs(pingMs - delayMs - 4.1) < 0.15, `${protocol} ${delayMs}: ${pingMs}`);
    }
  }
});

test('runs without delay were measured on another day than those with delay', () => {
  const days = readCsv(path.join(DATA, 'runs.csv'), ['delay_ms', 'started'], (row) => [
    row.delay_ms,
    row.started.slice(0, 10),
  ]);
  for (const [delayMs, day] of days) {
    assert.equal(day, delayMs === '0' ? '2021-03-08' : '2021-03-11');
  }
});

test('the printed means of handshakes and transfers match the runs', () => {
  for (const { protocol, delayMs, handshakeMs, transferMs } of MEANS) {
    assert.equal(rounded(meanAt(RUNS, protocol, delayMs, (run) => run.handshakeMs)), handshakeMs);
    assert.equal(rounded(meanAt(RUNS, protocol, delayMs, (run) => run.transferMs)), transferMs);
  }
});

test('printed times to the first byte exclude those below the clock’s millisecond', () => {
  const instant = RUNS.filter(({ firstByteMs }) => firstByteMs === 0);
  assertEach(instant, ({ protocol, delayMs }) => [protocol, delayMs], [['tcp', 0]]);
  const known = RUNS.filter(({ firstByteMs }) => firstByteMs > 0);
  for (const { protocol, delayMs, firstByteMs } of MEANS) {
    assert.equal(rounded(meanAt(known, protocol, delayMs, (run) => run.firstByteMs)), firstByteMs);
  }
});

test('from 0 to 50 ms the printed handshakes grow by 1.06 and 1.11 round trips, transfers by 1.03 and 0.02', () => {
  const growths = (part: 'handshakeMs' | 'transferMs') =>
    SIDES.map((side) =>
      rounded(
        growthOf(MEANS, side, (row) => row[part]),
        2,
      ),
    );
  assert.deepEqual(growths('handshakeMs'), [1.06, 1.11]);
  assert.deepEqual(growths('transferMs'), [1.03, 0.02]);
});

test('TCP’s own handshake, which was not timed, takes the missing round trip: 116 against 74 ms', () => {
  const completedMs = MEANS.filter(({ delayMs }) => delayMs === 50).map(
    ({ protocol, handshakeMs }) =>
      protocol === 'tcp' ? rounded(handshakeMs + 50, 0) : rounded(handshakeMs, 0),
  );
  assert.deepEqual(completedMs, [74, 116]);
  assert.deepEqual(
    roundTripsOf('tcp', ({ tcpHandshakeMs }) => tcpHandshakeMs ?? Number.NaN),
    [1, 0.97, 1.02],
  );
});

test('the timed handshake takes one round trip by both; until the message leaves, one and two', () => {
  assertEach(SIDES, (side) => roundTripsOf(side, ({ handshakeMs }) => handshakeMs), [
    [1.23, 0.94, 1.28],
    [1.19, 1.02, 1.25],
  ]);
  assertEach(SIDES, (side) => roundTripsOf(side, ({ messageSentMs }) => messageSentMs), [
    [1.08, 0.75, 1.24],
    [2.14, 2.03, 2.23],
  ]);
  assert.deepEqual(
    SIDES.map((side) =>
      rounded(
        growthOf(RUNS, side, (run) => run.messageSentMs),
        2,
      ),
    ),
    [1.01, 2.12],
  );
});

test('the message leaves sooner by QUIC with 20 and 50 ms, sooner by TCP without delay, and is undecided with 10 ms', () => {
  const sent = (side: PublishedProtocol, delayMs: number) =>
    mediansOf(runsOf(side, delayMs), ({ messageSentMs }) => messageSentMs);
  assertEach(PUBLISHED_DELAYS_MS, (delayMs) => SIDES.map((side) => sent(side, delayMs)), [
    [
      [27.1, 21.8, 41],
      [15.9, 14.9, 19.3],
    ],
    [
      [35.4, 31.8, 44.7],
      [37.9, 35.8, 40],
    ],
    [
      [48.4, 45, 50.8],
      [62, 61.2, 63.4],
    ],
    [
      [81.2, 79.6, 83.8],
      [122.3, 120.6, 123.5],
    ],
  ]);
});

test('QUIC’s client ends its stream a round trip after its message, and TCP’s at once', () => {
  assertEach(SIDES, (side) => roundTripsOf(side, (run) => run.endSentMs - run.messageSentMs), [
    [1.17, 1.03, 1.22],
    [0.04, 0.04, 0.05],
  ]);
});

test('printed closes are the runs’ without their whole seconds, of which QUIC’s have nine or ten', () => {
  for (const { protocol, delayMs, closeMs } of MEANS) {
    assert.equal(rounded(meanAt(RUNS, protocol, delayMs, (run) => run.closeMs % 1000)), closeMs);
  }
  for (const { closeMs } of runsOf('quic')) assert.ok(closeMs > 9970 && closeMs < 10_220);
  for (const { closeMs } of runsOf('tcp')) assert.ok(closeMs < 10);
  const nearlyTen = PUBLISHED_DELAYS_MS.map(
    (delayMs) => runsOf('quic', delayMs).filter(({ closeMs }) => closeMs < 10_000).length,
  );
  assert.deepEqual(nearlyTen, [0, 5, 6, 2]);
});

test('with 50 ms QUIC’s last packet, an acknowledgement, comes after TCP’s, though its message left 41 ms sooner', () => {
  const medians = (of: (run: PublishedRun) => number) =>
    SIDES.map((side) => rounded(median(runsOf(side, 50).map(of))));
  assert.deepEqual(
    medians(({ lastPacketMs }) => lastPacketMs),
    [287.4, 185.7],
  );
  assert.deepEqual(
    medians(({ messageSentMs }) => messageSentMs),
    [81.2, 122.3],
  );
});

/** Numbers in a table of printed bytes. */
function printedBytes(protocol: PublishedProtocol, printedIn: string, part: RegExp): number {
  return readCsv(
    path.join(DATA, 'printed-bytes.csv'),
    ['protocol', 'printed_in', 'part', 'bytes'],
    (row) => row,
  )
    .filter(
      (row) => row.protocol === protocol && row.printed_in === printedIn && part.test(row.part),
    )
    .reduce((sum, { bytes }) => sum + numberOf(bytes), 0);
}

test('the bytes of TCP’s flow chart add up to more than its table has', () => {
  const inTable = (part: RegExp) => printedBytes('tcp', 'table', part);
  assert.equal(inTable(/^total$/) - inTable(/^handshake$/), inTable(/^after/));
  assert.equal(inTable(/^total$/), 2589);
  assert.equal(printedBytes('tcp', 'flow chart', /./), 2659);
});

test('the bytes after QUIC’s handshake are a sum with two signs exchanged', () => {
  const inTable = (part: RegExp) => printedBytes('quic', 'table', part);
  const [total, handshake] = [inTable(/^total$/), inTable(/^handshake$/)];
  const [own, rest] = [inTable(/^handshake in packet 5$/), inTable(/^rest of packet 5$/)];
  assert.equal(total - (handshake + rest - own), 1226);
  assert.equal(inTable(/^after/), 1162);
  assert.equal(total - (handshake + own - rest), 1162);
});

test('headers of QUIC have 51 and 22 bytes where bit fields are counted as bits, not 55 and 27', () => {
  const fields = readCsv(
    path.join(DATA, 'printed-headers.csv'),
    ['header', 'field', 'bytes', 'bits'],
    ({ header, bytes, bits }) => ({ header, bytes: numberOf(bytes), bits: numberOf(bits) }),
  );
  const sums = (of: (field: (typeof fields)[number]) => number) =>
    ['long', 'short'].map((name) =>
      fields.filter(({ header }) => header === name).reduce((sum, field) => sum + of(field), 0),
    );
  assert.deepEqual(
    sums(({ bytes }) => bytes),
    [55, 27],
  );
  assert.deepEqual(
    sums(({ bits }) => bits / 8),
    [51, 22],
  );
});
