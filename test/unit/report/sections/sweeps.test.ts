import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NetworkCondition } from '../../../../ground/records/network.ts';
import { approve, outlineOf, wordsOf } from '../../approve.ts';
import { DELAYED, type FixtureOptions, fixtureRun, NONE, spoil } from '../fixture-run.ts';
import { documentOf } from '../reported.ts';

const rtt = (rttMs: number) => ({ ...NONE, name: `${rttMs}ms`, rttMs });
const loss = (lossPercent: number) => ({ ...DELAYED, name: `loss${lossPercent}`, lossPercent });
const under = (congestionControl: 'bbr' | 'cubic' | 'reno') => ({
  ...DELAYED,
  name: congestionControl,
  congestionControl,
});

/** Ratio of lsquic to Bun under each network. */
type Ratios = readonly (readonly [network: NetworkCondition, ratio: number])[];

async function sectionOf(ratios: Ratios, options: FixtureOptions = {}) {
  const made = fixtureRun({
    subjects: ['a.example'],
    networks: ratios.map(([network]) => network),
    repetitions: 12,
    ...options,
    change: (load, details) => {
      const [, ratio = 1] = ratios.find(([{ name }]) => name === load.network.name) ?? [];
      const noise = 1 + 0.02 * Math.sin(load.order * 12.9898);
      load.metrics.pageLoadMs = noise * (load.arm === 'lsquic-h3' ? 300 * ratio : 300);
      load.network.measuredRttMs = load.network.rttMs;
      options.change?.(load, details);
    },
  });
  const document = await documentOf(made);
  const section = document.getElementById('sweeps')?.closest('section') ?? null;
  return { section, sentence: wordsOf(section?.querySelector('li')) };
}

test('states who is ahead where in one sentence', async () => {
  const isLost = (load: Parameters<typeof spoil>[0]) => {
    if (load.network.name === 'loss2') spoil(load, 'invalid', 'link-busy', 'Busy.');
  };
  for (const [ratios, expected, change] of [
    [
      [
        [rtt(0), 1.3],
        [rtt(40), 0.9],
        [rtt(100), 0.7],
      ],
      /^Bun \(h2\) is faster below about \d\d ms, lsquic \(h3\) above \(interval \d+ ms to \d+ ms\)\.$/,
    ],
    [
      [
        [loss(0), 0.7],
        [loss(0.5), 0.7],
        [loss(2), 0.5],
      ],
      /^lsquic \(h3\) is faster than Bun \(h2\) at every value\.$/,
    ],
    [
      [
        [loss(0), 1],
        [loss(0.5), 0.7],
        [loss(2), 0.5],
      ],
      /^lsquic \(h3\) is within 5 % of Bun \(h2\) at 0 %; it is faster than Bun \(h2\) at 0.5 % and 2 %\.$/,
    ],
    [
      [
        [under('cubic'), 1.4],
        [under('bbr'), 0.7],
        [under('reno'), 1.4],
      ],
      /^lsquic \(h3\) is slower than Bun \(h2\) with cubic and reno; it is faster than Bun \(h2\) with bbr\.$/,
    ],
    [
      [
        [DELAYED, 1.3],
        [{ ...DELAYED, name: 'slow', downKbps: 5000 }, 0.7],
      ],
      /^lsquic \(h3\) is faster than Bun \(h2\) with 5,000 kbit\/s; it is slower than Bun \(h2\) with no limit\.$/,
    ],
    [
      [
        [loss(0), 0.7],
        [loss(2), 0.7],
      ],
      /^lsquic \(h3\) is faster than Bun \(h2\) at 0 %; it does not surely differ from Bun \(h2\) at 2 %\.$/,
      isLost,
    ],
  ] as const satisfies [Ratios, RegExp, FixtureOptions['change']?][]) {
    assert.match((await sectionOf(ratios, { change })).sentence, expected);
  }
});

test('draws charts of ratios and medians for three values, and only a table for two', async (t) => {
  const three = await sectionOf([
    [loss(0), 1],
    [loss(0.5), 0.9],
    [loss(2), 0.7],
  ]);
  assert.equal(three.section?.querySelectorAll('svg.chart').length, 2);
  approve(t, 'loss', outlineOf(three.section));
  const words = await sectionOf([
    [under('cubic'), 1],
    [under('bbr'), 0.9],
    [under('reno'), 0.7],
  ]);
  const [ratios] = words.section?.querySelectorAll('svg.chart') ?? [];
  assert.match(ratios?.textContent ?? '', /cubicbbrreno/);
  const two = await sectionOf([
    [loss(0), 1],
    [loss(2), 0.7],
  ]);
  assert.equal(two.section?.querySelector('svg.chart'), null);
  assert.equal(two.section?.querySelectorAll('figure tbody tr').length, 2);
});

test('draws a line of medians over the round-trip time, which is a table for two sites', async (t) => {
  const { section } = await sectionOf(
    [
      [rtt(0), 1],
      [rtt(40), 0.9],
      [rtt(100), 0.7],
    ],
    {
      subjects: ['a.example', 'b.example'],
      change: (load) => {
        load.metrics.pageLoadMs = 100 + (load.arm === 'lsquic-h3' ? 4 : 5) * load.network.rttMs;
      },
    },
  );
  approve(t, 'rtt', outlineOf(section));
});

test('counts the rest of many sweeps of one factor', async () => {
  const ratios = [0, 1, 2, 3, 4, 5].flatMap((lossPercent) =>
    [0, 30].map((rttMs): Ratios[number] => [
      { ...NONE, name: `${rttMs}-${lossPercent}`, rttMs, lossPercent },
      0.8,
    ]),
  );
  const { section } = await sectionOf(ratios, { repetitions: 6 });
  assert.match(wordsOf(section?.querySelector('h2')), /^By round-trip time and loss each way$/);
  assert.equal(section?.querySelectorAll('h3').length, 4 + 2);
  assert.match(
    wordsOf(section),
    /2 more sweeps of this factor, under other conditions, are in sweeps of summary\.json/,
  );
});

test('draws a ratio only where the run has one', async () => {
  const { section } = await sectionOf(
    [
      [loss(0), 1],
      [loss(0.5), 0.9],
      [loss(2), 0.7],
      [loss(5), 0.7],
    ],
    {
      change: (load) => {
        if (load.network.name === 'loss2') spoil(load, 'invalid', 'link-busy', 'Busy.');
      },
    },
  );
  const [chart] = section?.querySelectorAll('svg.chart') ?? [];
  assert.equal(chart?.querySelectorAll('circle').length, 3);
  assert.match(wordsOf(section?.querySelector('figure tbody')), /2 %–/);
});

test('omits the section for a run whose networks differ in more than one thing', async () => {
  const { section } = await sectionOf([
    [NONE, 1],
    [{ ...loss(2), rttMs: 90 }, 1],
  ]);
  assert.equal(section, null);
});
