import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mean } from '../../../../../statistics/mean.ts';
import { median } from '../../../../../statistics/median.ts';
import { assertEach } from '../../../../../test/unit/assert-each.ts';
import { addedCost, LEAST_ROUND_TRIPS, muchFaster, shortening } from '../../../numbers/findings.ts';
import {
  type PublishedCell,
  type PublishedDelayMs,
  type PublishedProtocol,
  readPublishedAverages,
  readPublishedTimes,
} from '../../../numbers/published-numbers.ts';

const TIMES = readPublishedTimes();
const AVERAGES = readPublishedAverages();
const SITES = [...new Set(AVERAGES.map(({ subject }) => subject))];

const nameOf = ({ subject, protocol }: Pick<PublishedCell, 'subject' | 'protocol'>) =>
  `${subject} ${protocol}`;

const averageOf = (subject: string, protocol: PublishedProtocol, delayMs: PublishedDelayMs) =>
  AVERAGES.find(
    (each) => each.subject === subject && each.protocol === protocol && each.delayMs === delayMs,
  )?.meanMs ?? null;

/** Means of both protocols on every site that has them. */
function pairsAt(delayMs: PublishedDelayMs): [number, number][] {
  return SITES.flatMap((subject): [number, number][] => {
    const [quicMs, httpsMs] = (['quic', 'https'] as const).map((protocol) =>
      averageOf(subject, protocol, delayMs),
    );
    return quicMs && httpsMs ? [[quicMs, httpsMs]] : [];
  });
}

/** Additional time with 30 ms, for each site that was loaded with them. */
function costsOf(protocol: PublishedProtocol) {
  return SITES.flatMap((subject) => {
    const [without, with30] = ([0, 30] as const).map((delay) =>
      averageOf(subject, protocol, delay),
    );
    if (!without || !with30) return [];
    return [{ name: nameOf({ subject, protocol }), ...addedCost(without, with30, 30) }];
  });
}

test('has 321 published loads by each protocol on 30 sites, 10 to 16 a site and numbered from 1', () => {
  for (const protocol of ['quic', 'https'] as const) {
    assert.equal(TIMES.filter((each) => each.protocol === protocol).length, 321);
  }
  const cells = [...Map.groupBy(TIMES, nameOf).values()];
  assert.equal(cells.length, 60);
  for (const cell of cells) {
    assert.ok(cell.length >= 10 && cell.length <= 16);
    assertEach(
      cell,
      ({ run }) => run,
      cell.map((_, index) => index + 1),
    );
    assert.ok(cell.every(({ delayMs, documentTimeMs }) => delayMs === 0 && documentTimeMs > 0));
  }
});

test('has published averages of 30 sites without delay and 19 with 30 ms', () => {
  for (const [delayMs, count] of [
    [0, 60],
    [30, 38],
  ] as const) {
    const found = AVERAGES.filter((each) => each.delayMs === delayMs);
    assert.equal(found.length, count);
    assert.equal(new Set(found.map(nameOf)).size, count);
  }
  assert.equal(averageOf('www.taobao.com', 'quic', 30), 76.273);
});

test('derives all 60 published averages without delay from their loads; nine were truncated where rounding goes up', () => {
  const printed = AVERAGES.filter(({ delayMs }) => delayMs === 0);
  assert.equal(printed.length, 60);
  const valuesOf = Map.groupBy(TIMES, nameOf);
  const found = printed.map((average) => {
    const values = (valuesOf.get(nameOf(average)) ?? []).map((time) => time.documentTimeMs);
    const exactMs = mean(values) ?? Number.NaN;
    const unitMs = 10 ** -(average.printed.split('.')[1] ?? '').length;
    // The plain computation, for comparison with the exact one.
    assert.ok(Math.abs(exactMs - average.meanMs) < unitMs, nameOf(average));
    return { name: nameOf(average), how: shortening(average.printed, values) };
  });
  assert.equal(found.filter(({ how }) => how === 'rounded').length, 51);
  assert.deepEqual(found.flatMap(({ name, how }) => (how === 'cut' ? [name] : [])).sort(), [
    'www.jd.com https',
    'www.live.com https',
    'www.reddit.com https',
    'www.sohu.com https',
    'www.sohu.com quic',
    'www.taobao.com https',
    'www.vk.com https',
    'www.weibo.com https',
    'www.weibo.com quic',
  ]);
});

test('distinguishes an average that its values contradict from a truncated one', () => {
  assert.equal(shortening('1.7', [1, 2, 2]), 'rounded');
  assert.equal(shortening('1.6', [1, 2, 2]), 'cut');
  assert.equal(shortening('1.5', [1, 2, 2]), 'other');
  assert.equal(shortening('1.8', [1, 2, 2]), 'other');
  assert.equal(shortening('2', [1, 2]), 'rounded');
  assert.equal(shortening('1', [1, 2]), 'rounded');
});

test('finds "more than 50 % faster" true for 18 of 30 sites without delay and for 12 of 19 with it', () => {
  assert.deepEqual(muchFaster(pairsAt(0)), { count: 18, nSites: 30 });
  assert.deepEqual(muchFaster(pairsAt(30)), { count: 12, nSites: 19 });
});

test('does not count exactly half of the time as more than 50 % faster', () => {
  assert.deepEqual(
    muchFaster([
      [50, 100],
      [49.9, 100],
    ]),
    { count: 1, nSites: 2 },
  );
});

test('has a median cost of 30 ms of about 1 round trip by QUIC and 4.3 by HTTPS', () => {
  const medians = (['quic', 'https'] as const).map((protocol) => {
    const costs = costsOf(protocol);
    assert.equal(costs.length, 19);
    return median(costs.map(({ roundTrips }) => roundTrips))?.toFixed(2);
  });
  assert.deepEqual(medians, ['0.98', '4.26']);
});

test('has five published costs below half a round trip, with another explanation', () => {
  const found = [...costsOf('quic'), ...costsOf('https')].filter(({ implausible }) => implausible);
  assertEach(found, ({ name, implausible }) => `${name} ${implausible}`, [
    'www.yahoo.com quic took only 1.1 ms more',
    'www.reddit.com quic took 28.5 ms less',
    'www.news.google.com quic took 37.0 ms less',
    'www.nbcnews.com quic took only 1.5 ms more',
    'www.sina.com.cn https took 3.7 ms less',
  ]);
});

test('has no published cost near the limit, so that another limit would mark the same', () => {
  const near = [...costsOf('quic'), ...costsOf('https')].filter(
    ({ roundTrips }) => Math.abs(roundTrips - LEAST_ROUND_TRIPS) < 0.15,
  );
  assert.deepEqual(near, []);
});
