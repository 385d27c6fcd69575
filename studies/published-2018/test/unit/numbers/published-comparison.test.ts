import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  DELAYED,
  type FixtureOptions,
  fixtureRun,
  NONE,
  spoil,
} from '../../../../../test/unit/report/fixture-run.ts';
import { summaryOf } from '../../../../../test/unit/report/reported.ts';
import { compareWithPublished } from '../../../numbers/published-comparison.ts';

function compared(options: FixtureOptions = {}) {
  const made = fixtureRun({ preset: 'published', ...options });
  return compareWithPublished(made.run, summaryOf(made).rows);
}

const siteIn = ({ subjects }: ReturnType<typeof compared>, name: string) => {
  const found = subjects.find(({ subject }) => subject === name);
  assert.ok(found, name);
  return found;
};

test('lists all 30 published sites, also those that the run lacks', () => {
  const comparison = compared();
  assert.equal(comparison.subjects.length, 30);
  assert.deepEqual(comparison.published.muchFaster, {
    0: { count: 18, nSites: 30 },
    30: { count: 12, nSites: 19 },
  });
  const { published, ours } = siteIn(comparison, 'www.youtube.com');
  assert.deepEqual(published.quic.meanMs, { 0: 73.7, 30: 179.3 });
  assert.deepEqual(ours.quic, { meanMs: { 0: null, 30: null }, added: null });
});

test('marks nine averages as truncated, with their untruncated mean', () => {
  const { subjects } = compared();
  const cut = subjects.flatMap(({ published }) => [published.quic, published.https]);
  assert.equal(cut.filter(({ cutFromMs }) => cutFromMs !== null).length, 9);
  const { https } = siteIn(compared(), 'www.vk.com').published;
  assert.equal(https.printed[0], '58.53');
  assert.equal(https.cutFromMs?.toFixed(4), '58.5385');
});

test('takes our means from document times of counted loads only', () => {
  const comparison = compared({
    subjects: ['www.iana.org'],
    repetitions: 3,
    change: (load) => {
      const delayMs = load.network.rttMs;
      load.metrics.documentMs =
        load.arm === 'lsquic-h3' ? 10 + load.repetition + delayMs : 50 + 4 * delayMs;
      // Neither a warm-up nor a load that is not ok, nor its block, is in any mean.
      if (load.warmup) load.metrics.documentMs = 9_999;
      if (load.repetition === 3 && load.arm === 'lsquic-h3') {
        spoil(load, 'failed', 'timeout', 'No load event within 30 s.');
      }
    },
  });
  const { ours } = siteIn(comparison, 'www.iana.org');
  assert.deepEqual(ours.quic, {
    meanMs: { 0: 11.5, 30: 41.5 },
    added: { roundTrips: 1, implausible: null },
  });
  assert.deepEqual(ours.https.added, { roundTrips: 4, implausible: null });
  assert.deepEqual(comparison.ours.muchFaster, {
    0: { count: 1, nSites: 1 },
    30: { count: 1, nSites: 1 },
  });
  assert.deepEqual(comparison.ours.addedRoundTrips.https, { median: 4, nSites: 1 });
});

test('reports an impossible cost of ours as well', () => {
  const comparison = compared({
    subjects: ['www.iana.org'],
    change: (load) => {
      load.metrics.documentMs = 40;
    },
  });
  const { added } = siteIn(comparison, 'www.iana.org').ours.quic;
  assert.equal(added?.implausible, 'took only 0.0 ms more');
});

test('excludes all other sites from numbers over the sites published with delay', () => {
  const { ours, oursAsPublished } = compared({ subjects: ['www.iana.org', 'www.live.com'] });
  assert.equal(ours.addedRoundTrips.quic.nSites, 2);
  assert.equal(oursAsPublished.addedRoundTrips.quic.nSites, 1);
  assert.equal(oursAsPublished.muchFaster[0].nSites, 2);
  assert.equal(oursAsPublished.muchFaster[30].nSites, 1);
});

test('leaves numbers empty for networks that a run lacks, or that do more than delay', () => {
  const limited = { ...NONE, name: 'slow', downKbps: 1000 };
  const comparison = compared({ subjects: ['www.iana.org'], networks: [limited, DELAYED] });
  const { ours } = siteIn(comparison, 'www.iana.org');
  assert.equal(ours.quic.meanMs[0], null);
  assert.notEqual(ours.quic.meanMs[30], null);
  assert.equal(ours.quic.added, null);
  assert.deepEqual(comparison.ours.addedRoundTrips.quic, { median: null, nSites: 0 });
});

test('picks the stack nearest to the published one for HTTPS, and never a control', () => {
  const made = fixtureRun({ preset: 'published' });
  const { run } = made;
  assert.equal(compareWithPublished(run, []).arms.https?.arm, 'flask-h1');
  const arms = run.arms.map((arm) =>
    arm.arm === 'flask-h1' ? { ...arm, controlOf: 'bun-h2' } : arm,
  );
  assert.equal(compareWithPublished({ ...run, arms }, []).arms.https?.arm, 'bun-h2');
  const withoutQuic = arms.filter(({ protocol }) => protocol !== 'h3');
  const comparison = compareWithPublished({ ...run, arms: withoutQuic }, summaryOf(made).rows);
  assert.equal(comparison.arms.quic, null);
  assert.equal(siteIn(comparison, 'www.iana.org').ours.quic.meanMs[0], null);
});
