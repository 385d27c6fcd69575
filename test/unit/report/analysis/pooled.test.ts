import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarise } from '../../../../report/summary.ts';
import { DELAYED, fixtureRun, NONE } from '../fixture-run.ts';

const SITES = ['a.example', 'b.example', 'c.example', 'd.example'];

/** Four sites on which lsquic takes so much of Bun's time, with some noise. */
function pooledOf(ratioOf: (site: string, rttMs: number) => number, repetitions = 12) {
  const { run, pageLoads } = fixtureRun({
    sites: SITES,
    networks: [NONE, DELAYED],
    repetitions,
    change: (load) => {
      const ratio = load.stack === 'lsquic-h3' ? ratioOf(load.site, load.network.rttMs) : 1;
      load.timingsMs.pageLoad = 300 * ratio * (1 + 0.01 * Math.sin(load.order * 78.233));
    },
  });
  return summarise(run, pageLoads);
}

test('each condition has an answer that a site owner understands, with its numbers', () => {
  const { pooled } = pooledOf((_, rttMs) => (rttMs === 0 ? 1.2 : 0.9));
  const [without, , delayed] = pooled;
  assert.equal(without?.verdict, 'slower');
  assert.match(
    without?.sentence ?? '',
    /^With no added delay, lsquic \(h3\) is (19|20|21) % slower than Bun \(h2\) on pages like these 4 \([\d.]+ to [\d.]+ % slower\)\.$/,
  );
  assert.equal(delayed?.verdict, 'faster');
  assert.match(
    delayed?.sentence ?? '',
    /^With 30 ms round-trip time added, lsquic \(h3\) is (9\.\d|10) % faster than Bun/,
  );
  assert.deepEqual(delayed?.verdicts, { faster: 4, slower: 0, same: 0, 'cannot tell': 0 });
  assert.deepEqual([delayed?.nSites, delayed?.nPairs], [4, 48]);
});

test('sites count alike, and sites that contradict each other cannot be told together', () => {
  const ratios = new Map(SITES.map((site, index) => [site, [0.5, 2, 0.8, 1.25][index] ?? 1]));
  const [one] = pooledOf((site) => ratios.get(site) ?? 1).pooled;
  assert.equal(one?.verdict, 'cannot tell');
  assert.ok(Math.abs((one?.ratio?.estimate ?? 0) - 1) < 0.02);
  assert.match(
    one?.sentence ?? '',
    /it cannot be told whether lsquic \(h3\) is faster or slower than Bun \(h2\) on pages like these 4/,
  );
  assert.match(one?.sentence ?? '', /Site by site it is faster on 2 and slower on 2\.$/);
});

test('equal within the margin is an answer too', () => {
  const [one] = pooledOf(() => 1.01).pooled;
  assert.equal(one?.verdict, 'same');
  assert.match(
    one?.sentence ?? '',
    /are equally fast on pages like these \d+ within the margin of 5 %/,
  );
});

test('the protocol is spoken of only for a pair that is known to be like for like', () => {
  const { run, pageLoads } = fixtureRun({ sites: SITES, networks: [NONE], repetitions: 3 });
  const said = () => summarise(run, pageLoads).pooled.map(({ likeForLike }) => likeForLike);
  assert.deepEqual(said(), [false, false]);
  const same = { value: 'the same', from: 'test' };
  const known = Object.fromEntries(
    run.fairness.pairs
      .concat(summarise(run, pageLoads).fairness)
      .flatMap(({ properties }) => properties.map(({ property }) => [property, same])),
  );
  run.fairness.readings = { 'lsquic-h3': known, 'bun-h2': known, 'flask-h1': {} };
  for (const load of pageLoads) {
    if (load.traffic) load.traffic.tlsVersion = 'TLS 1.3';
  }
  assert.deepEqual(said(), [true, false]);
  assert.match(summarise(run, pageLoads).fairness[0]?.sentence ?? '', /^like for like/);
});
