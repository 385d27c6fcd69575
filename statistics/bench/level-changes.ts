import { readOptions } from '../../runner/bench/harness/options.ts';
import { printRow } from '../../runner/bench/harness/table.ts';
import { type Noise, noiseOf } from '../../test/unit/statistics/noise.ts';
import { fewestForLevelChange, levelChangeFinder } from '../level-changes.ts';

/** As in a history (`report --history`). */
const LEVEL = 0.01;

/** Standard deviation between runs, of log ratios. */
const BETWEEN_RUNS = 0.03;

const CHANGE = Math.log(1.1);

/** A change that is placed farther away is another one. */
const NEAR_RUNS = 2;

const values = readOptions('Simulates series of runs, and counts changes found and false ones.', {
  series: { type: 'string', default: '3000' },
});
const nSeries = Number(values.series);
if (!Number.isInteger(nSeries) || nSeries < 10) {
  throw new Error(`--series ${values.series}: expected a whole number from 10`);
}

/** By the number of comparisons, which have equal shares of the level. */
const FINDERS = new Map(
  [1, 4].map((nQuestions) => [
    nQuestions,
    levelChangeFinder({ seed: 1, level: LEVEL / nQuestions }),
  ]),
);
function placesIn(series: readonly number[], nQuestions = 1): number[] {
  return FINDERS.get(nQuestions)?.(series).map(({ at }) => at) ?? [];
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

/** Runs whose noise depends on the run before. */
function dependent(noise: Noise): () => number {
  let state = noise.normal();
  return () => {
    state = 0.3 * state + Math.sqrt(1 - 0.3 ** 2) * noise.normal();
    return state;
  };
}

const NOISES: Record<string, (noise: Noise) => () => number> = {
  normal: (noise) => noise.normal,
  'heavy tails (t with 2 degrees of freedom)': (noise) => noise.heavyTailed,
  'one of twenty runs with eight times the noise': (noise) => () =>
    noise.normal() * (noise.uniform() < 0.05 ? 8 : 1),
  'autocorrelation of 0.3': dependent,
};

/** Without a change of level, at a place of a series. */
const UNLIKE_OTHERS: Record<
  string,
  (value: number, place: { at: number; beforeEnd: number }) => number
> = {
  'three times the noise from halfway on': (value, { at }) => value * (at < 0.5 ? 1 : 3),
  'the last two runs 40 % slower': (value, { beforeEnd }) =>
    value + (beforeEnd <= 2 ? Math.log(1.4) / BETWEEN_RUNS : 0),
};

const LENGTHS = [15, 30, 60];

/** Of kinds that take long and whose shares need fewer. */
const nFewSeries = Math.ceil(nSeries / 10);

function share(holds: (noise: Noise) => boolean, count = nSeries): number {
  let held = 0;
  for (let seed = 1; seed <= count; seed++) held += Number(holds(noiseOf(seed)));
  return held / count;
}

function seriesOf(length: number, shape: (place: number) => number, value: () => number): number[] {
  return Array.from(
    { length },
    (_, place) => CHANGE * shape(place / length) + BETWEEN_RUNS * value(),
  );
}

console.log(
  `${nSeries} simulated series of each kind, ${nFewSeries} of pages after each run and of changes, level ${LEVEL}`,
);
console.log('\nSeries without a change in which one is found');
printRow(['', ...LENGTHS.map((length) => `${length} runs`)]);
for (const [name, sourceOf] of Object.entries(NOISES)) {
  printRow([
    name,
    ...LENGTHS.map((length) =>
      percent(share((noise) => placesIn(seriesOf(length, () => 0, sourceOf(noise))).length > 0)),
    ),
  ]);
}
for (const [name, changed] of Object.entries(UNLIKE_OTHERS)) {
  printRow([
    name,
    ...LENGTHS.map((length) =>
      percent(
        share((noise) => {
          const series = seriesOf(length, () => 0, noise.normal);
          const values = series.map(
            (value, place) =>
              BETWEEN_RUNS *
              changed(value / BETWEEN_RUNS, { at: place / length, beforeEnd: length - place }),
          );
          return placesIn(values).length > 0;
        }),
      ),
    ),
  ]);
}
printRow([
  'any of 4 comparisons, normal',
  ...LENGTHS.map((length) =>
    percent(
      share((noise) =>
        [1, 2, 3, 4].some(
          () =>
            placesIn(
              seriesOf(length, () => 0, noise.normal),
              4,
            ).length > 0,
        ),
      ),
    ),
  ),
]);
printRow([
  'a page after each run, up to that number, normal',
  ...LENGTHS.map((length) =>
    percent(
      share((noise) => {
        const whole = seriesOf(length, () => 0, noise.normal);
        return whole.some((_, place) => placesIn(whole.slice(0, place + 1)).length > 0);
      }, nFewSeries),
    ),
  ),
]);

/** 40 %, where `CHANGE` is one. */
const LARGE = Math.log(1.4) / CHANGE;

const SHAPES: Record<string, { shape: (at: number) => number; changes: readonly number[] }> = {
  'up halfway': { shape: (at) => (at < 0.5 ? 0 : 1), changes: [1 / 2] },
  'up before the last fifth': { shape: (at) => (at < 0.8 ? 0 : 1), changes: [0.8] },
  'up, and up again': { shape: (at) => Math.floor(at * 3), changes: [1 / 3, 2 / 3] },
  'up, and back': {
    shape: (at) => (Math.floor(at * 3) === 1 ? 1 : 0),
    changes: [1 / 3, 2 / 3],
  },
  '40 % up before the last quarter': { shape: (at) => (at < 0.75 ? 0 : LARGE), changes: [0.75] },
  '40 % up, and back': {
    shape: (at) => (Math.floor(at * 3) === 1 ? LARGE : 0),
    changes: [1 / 3, 2 / 3],
  },
};

console.log(
  '\nChanges of 10 % or as named, runs vary by 3 %: all found within two runs; any found farther away',
);
printRow(['', ...LENGTHS.map((length) => `${length} runs`)]);
for (const [name, { shape, changes }] of Object.entries(SHAPES)) {
  for (const nQuestions of [1, 4]) {
    printRow([
      `${name}, ${nQuestions === 1 ? '1 comparison' : `${nQuestions} comparisons`}`,
      ...LENGTHS.map((length) => {
        const isNear = (at: number, change: number) => Math.abs(at - change * length) <= NEAR_RUNS;
        const found = Array.from({ length: nFewSeries }, (_, index) =>
          placesIn(seriesOf(length, shape, noiseOf(index + 1).normal), nQuestions),
        );
        const shareOf = (holds: (places: readonly number[]) => boolean) =>
          percent(found.filter(holds).length / nFewSeries);
        const all = shareOf((places) =>
          changes.every((change) => places.some((at) => isNear(at, change))),
        );
        const far = shareOf((places) =>
          places.some((at) => !changes.some((change) => isNear(at, change))),
        );
        return `${all}; ${far}`;
      }),
    ]);
  }
}

console.log('\nFewest runs to find a change halfway');
printRow(['comparisons', 'runs']);
for (const nQuestions of [1, 2, 4, 8, 16, 32]) {
  printRow([String(nQuestions), String(fewestForLevelChange(LEVEL / nQuestions))]);
}
