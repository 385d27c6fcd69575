import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PageShape, readShapes } from '../../../../../cache/shapes/shapes.ts';
import { pageLoad } from '../../../../../experiments/page-load/experiment.ts';
import type { RawOptions } from '../../../../../ground/options/row.ts';
import { presetOfRun } from '../../../../../report/series.ts';
import * as options from '../../../../../runner/options.ts';
import { assertEach } from '../../../../../test/unit/assert-each.ts';
import { withStandIns } from '../../../../../test/unit/servers/made-up-stacks.ts';
import { LADDER, LADDER_NAME, LADDER_SITES } from '../../../ladder/steps.ts';
import { readPublishedAverages } from '../../../numbers/published-numbers.ts';
import { published2018 } from '../../../study.ts';

/**
 * Options that count as one: the compared stack is the baseline, and loopback is an MTU with
 * offloads and a receive buffer.
 */
const ONE_THING: Record<string, string> = {
  baseline: 'stacks',
  offloads: 'mtuBytes',
  receiveBufferBytes: 'mtuBytes',
};

type Options = options.Options;

const optionsOf = (given: RawOptions) =>
  options.optionsOf(
    { given },
    withStandIns(pageLoad, ['flask-dev', 'flask-dev-h1', 'bun-h1']),
    published2018.presets,
  );

/** The options of each step's run, as the series gives them. */
const stepsGiven = (chosen: RawOptions) =>
  LADDER.map((step) => ({
    name: step.name,
    given: { ...chosen, preset: presetOfRun({ name: LADDER_NAME }, step) },
  }));

/** Drawn at random by default. */
const SEED = { seed: '1' };

/**
 * Everything that decides what is measured, by name; the stacks' names stand for their properties.
 */
function factsOf({ preset: _, analysis, choices, stacks, ...remaining }: Options) {
  const { pin, out, ...rest } = remaining;
  assert.equal(out, null);
  return {
    pin,
    ...rest,
    ...analysis,
    ...choices,
    stacks: stacks.map(({ stack }) => stack),
  } as Record<string, unknown>;
}

function changedBetween(before: Options, after: Options): string[] {
  const [own, later] = [factsOf(before), factsOf(after)];
  const changed = Object.keys({ ...own, ...later }).filter(
    (name) => JSON.stringify(own[name]) !== JSON.stringify(later[name]),
  );
  return [...new Set(changed.map((name) => ONE_THING[name] ?? name))];
}

test('changes exactly one thing per step', () => {
  const steps = stepsGiven(SEED).map(({ given }) => optionsOf(given));
  for (const [index, step] of steps.slice(1).entries()) {
    const changed = changedBetween(steps[index] as Options, step);
    assert.equal(changed.length, 1, `${LADDER[index + 1]?.name}: ${changed.join(', ')}`);
  }
});

test('begins with the published comparison on fewer sites, under one delay', () => {
  const published = optionsOf({ preset: 'published', ...SEED });
  const first = optionsOf(stepsGiven(SEED)[0]?.given ?? {});
  assert.deepEqual(changedBetween(published, first).sort(), [
    'networks',
    'repetitions',
    'subjects',
  ]);
  assert.ok(first.subjects.every((site) => published.subjects.includes(site)));
});

test('ends with a plain run of the two stacks with a stock receive buffer', () => {
  const plain = optionsOf({
    'receive-buffer': 'stock',
    stacks: 'lsquic-h3,bun-h2',
    rtt: '30',
    repetitions: '6',
    sites: LADDER_SITES.join(),
    ...SEED,
  });
  const last = optionsOf(stepsGiven(SEED).at(-1)?.given ?? {});
  assert.deepEqual(changedBetween(plain, last), []);
  assert.deepEqual(last.choices, plain.choices);
});

test('has enough pairs for a verdict at every step', () => {
  for (const { given } of stepsGiven({})) {
    const { repetitions, stopping } = optionsOf(given);
    assert.equal(stopping, null);
    assert.ok(repetitions >= 6, String(repetitions));
  }
});

test('names its step in each run', () => {
  for (const { name, given } of stepsGiven({ seed: '5' })) {
    assert.equal(optionsOf(given).preset, `ladder/${name}`);
    assert.equal(optionsOf(given).seed, 5);
  }
});

test('accepts sites, repetitions, delay, seed and limit, the same for every step', () => {
  const own = { sites: 'www.example.org', repetitions: '9', rtt: '60', timeout: '7' };
  for (const { given } of stepsGiven(own)) {
    const { subjects: sites, repetitions, networks, timeoutS, out } = optionsOf(given);
    assert.deepEqual(sites, ['www.example.org']);
    assert.deepEqual([repetitions, timeoutS, out], [9, 7, null]);
    assertEach(networks, ({ rttMs }) => rttMs, [60]);
  }
});

test('uses the 8 smallest of the sites that were published with and without delay', () => {
  const averages = readPublishedAverages();
  const delayed = new Set(
    averages.flatMap(({ subject, delayMs }) => (delayMs === 30 ? [subject] : [])),
  );
  const bytesOf = ({ objects }: PageShape) =>
    objects.reduce((sum, { wireBytes, bytes }) => sum + (wireBytes ?? bytes), 0);
  const shapes = readShapes()
    .filter(({ site }) => delayed.has(site))
    .toSorted((a, b) => bytesOf(a) - bytesOf(b));
  assert.equal(shapes.length, 19);
  const smallest = shapes.slice(0, 8).map(({ site }) => site);
  assert.deepEqual(LADDER_SITES.toSorted(), smallest.toSorted());
});

test('never loses more document round trips than the handshakes that a change removes', () => {
  const trips = LADDER.map(({ documentRoundTrips }) => documentRoundTrips);
  assert.deepEqual(trips[0], { quic: 1, https: 4 });
  assert.deepEqual(trips.at(-1), { quic: 2, https: 3 });
  const warm = trips.filter((_, index) => LADDER[index]?.options.visit === 'reload');
  assert.ok(warm.every(({ quic }) => quic === 1));
});
