import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ClaimsSection, claimsSection } from '../../../studies/claims.ts';
import { roundTrips } from '../../../studies/measures.ts';
import { growthIn, medianIn } from '../../../studies/readings.ts';
import { delays } from '../made-run.ts';
import { DELAYED, type FixtureOptions, fixtureRun, NONE } from '../report/fixture-run.ts';
import { cellsOf, documentOf, viewOf as viewOfRun } from '../report/reported.ts';

/** Two round trips and 7 ms by one stack, plus the repetition's number in ms. */
const NETWORKS = delays(0, 30, 60);
const change: FixtureOptions['change'] = (load) => {
  load.network.measuredRttMs = load.network.rttMs;
  load.metrics.documentMs = 2 * load.network.rttMs + 7 + load.block / 1000;
};

const made = (options: FixtureOptions = {}) =>
  fixtureRun({ subjects: ['www.iana.org'], change, ...options });
const viewOf = (options?: FixtureOptions) => viewOfRun(made(options));

const STUDY: ClaimsSection = {
  id: 'made-up',
  study: 'Nobody 2020',
  presets: ['made-up'],
  about: 'Made up.',
  claims: () => [
    {
      claim: 'The document costs one round trip (table 3).',
      textOf: (value) => `${value.toFixed(2)} RTT`,
      timings: [
        { timed: 'at the server', published: 1.06, measured: null },
        {
          timed: 'at the client',
          published: null,
          measured: roundTrips([() => 'lsquic-h3', 'documentMs']),
        },
      ],
    },
  ],
};

async function sectionOf(preset: string | null) {
  const document = await documentOf(made({ networks: NETWORKS, repetitions: 6, preset }), {
    sections: [claimsSection(STUDY)],
  });
  return document.querySelector('section[aria-labelledby="made-up"]');
}

test("shows a claim with its published value and this run's, by transport", async () => {
  const rows = cellsOf(await sectionOf('made-up'));
  assert.deepEqual(rows[0], ['The document costs one round trip (table 3).']);
  assert.deepEqual(rows[1], ['at the server', '1.06 RTT', '–']);
  assert.deepEqual(rows[2]?.slice(0, 2), ['at the client', '–']);
  assert.match(rows[2]?.[2] ?? '', /^2\.00 RTT(1\.99|2\.00) RTT to 2\.0[01] RTT$|^2\.00 RTT$/);
});

test('shows a study only in runs of its presets', async () => {
  assert.ok(await sectionOf('made-up'));
  assert.equal(await sectionOf(null), null);
  assert.equal(await sectionOf('made-up-too'), null);
});

test('fits growth as the line through medians at the measured round-trip times', () => {
  const growth = growthIn(viewOf({ networks: NETWORKS, repetitions: 6 }), {
    arm: 'bun-h2',
    reading: ({ metrics }) => metrics.documentMs ?? null,
  });
  assert.ok(growth);
  const { estimate, low, high } = growth.roundTrips;
  assert.ok(Math.abs(estimate - 2) < 0.001, String(estimate));
  assert.ok(low !== null && high !== null && low <= estimate && estimate <= high);
  assert.ok(Math.abs(growth.interceptMs.estimate - 7) < 0.1);
});

test('needs two delays for growth, and six attempts at each for its interval', () => {
  const claim = { arm: 'bun-h2', reading: 'documentMs' };
  assert.equal(growthIn(viewOf({ networks: [DELAYED] }), claim), null);
  const few = growthIn(viewOf({ networks: NETWORKS, repetitions: 5 }), claim);
  assert.equal(few?.roundTrips.low, null);
  assert.equal(growthIn(viewOf(), { arm: 'bun-h2', reading: 'nothing' }), null);
});

test('excludes conditions that differ in more than their delay from a line', () => {
  const networks = [...NETWORKS, { ...NONE, name: 'lossy', rttMs: 90, lossPercent: 1 }];
  const loads: FixtureOptions['change'] = (load, details) => {
    change?.(load, details);
    if (load.network.name === 'lossy') load.metrics.documentMs = 9999;
  };
  const growth = growthIn(viewOf({ networks, change: loads }), {
    arm: 'bun-h2',
    reading: 'documentMs',
  });
  assert.ok(Math.abs((growth?.roundTrips.estimate ?? 0) - 2) < 0.001);
});

test('a median covers only the counted attempts of its arm and condition', () => {
  const view = viewOf({
    repetitions: 7,
    change: (load) => {
      load.metrics.documentMs = load.arm === 'bun-h2' ? 10 + load.block : 1000;
    },
  });
  const [condition] = view.conditions;
  assert.ok(condition);
  const blocks = view.observations
    .filter(({ arm, warmup, network }) => arm === 'bun-h2' && !warmup && network.name === 'none')
    .map(({ block }) => 10 + block)
    .toSorted((a, b) => a - b);
  const found = medianIn(view, condition, { arm: 'bun-h2', reading: 'documentMs' });
  assert.equal(found?.estimate, blocks[3]);
  assert.ok(found && found.low !== null && found.high !== null);
  assert.ok(found.low >= (blocks[0] ?? 0) && found.high <= (blocks[6] ?? 0));
  const none = medianIn(view, condition, { arm: 'bun-h2', reading: 'nothing' });
  assert.equal(none, null);
});
