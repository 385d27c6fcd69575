import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  FEWEST_OF_LEVEL,
  fewestAtEnd,
  fewestForLevelChange,
  levelChangeFinder,
} from '../../../statistics/level-changes.ts';
import { noiseOf } from './noise.ts';

const LEVEL = 0.01;
const TEN_PERCENT = Math.log(1.1);

const find = levelChangeFinder({ seed: 1, level: LEVEL });
const findAtFivePercent = levelChangeFinder({ seed: 1, level: 0.05 });

/** Log ratios of runs that vary by 3 %, with the levels of `shape`. */
function simulated(length: number, seed: number, shape: (place: number) => number = () => 0) {
  const noise = noiseOf(seed);
  return Array.from({ length }, (_, place) => TEN_PERCENT * shape(place) + 0.03 * noise.normal());
}

function placesIn(values: readonly number[], findIn = find): number[] {
  return findIn(values).map(({ at }) => at);
}

/** Places of changes, found in this number of 20 series. */
function countFound(length: number, shape: (place: number) => number, places: readonly number[]) {
  const found = Array.from({ length: 20 }, (_, index) =>
    placesIn(simulated(length, index + 1, shape)),
  );
  return found.filter(
    (each) =>
      each.length === places.length &&
      each.every((at, place) => Math.abs(at - (places[place] ?? 0)) <= 1),
  ).length;
}

test('finds no change in 20 series of each length without one, and in at most one of the shortest', () => {
  const foundIn = (length: number) =>
    Array.from({ length: 20 }, (_, index) => placesIn(simulated(length, index + 1))).filter(
      (places) => places.length > 0,
    );
  for (const length of [15, 30, 60]) assert.deepEqual(foundIn(length), [], `${length}`);
  assert.ok(foundIn(12).length <= 1);
});

test('finds nothing more often than its level allows', () => {
  const count = Array.from({ length: 1000 }, (_, seed) => simulated(20, seed)).filter(
    (values) => placesIn(values, findAtFivePercent).length > 0,
  ).length;
  // 5 % and four standard errors.
  assert.ok(count <= 50 + 28, String(count));
  assert.ok(count >= 50 - 28, String(count));
});

test('finds a change of 10 % where it is', () => {
  const isAfter = (place: number) => Number(place >= 9);
  assert.deepEqual(placesIn(simulated(15, 1, isAfter)), [9]);
  assert.ok(countFound(15, isAfter, [9]) >= 17);
  assert.ok(countFound(30, isAfter, [9]) >= 18);
});

test('finds two changes, also back to the first level', () => {
  const isBetween = (place: number) => Number(place >= 10 && place < 20);
  assert.ok(countFound(30, isBetween, [10, 20]) >= 18);
  const upTwice = (place: number) => Math.floor(place / 10);
  assert.ok(countFound(30, upTwice, [10, 20]) >= 18);
});

test('finds large changes that few values have', () => {
  const findOfFour = levelChangeFinder({ seed: 1, level: LEVEL / 4 });
  const large = Math.log(1.4) / TEN_PERCENT;
  const shapes: [length: number, shape: (place: number) => number, places: number[]][] = [
    [15, (place) => (place < 11 ? 0 : large), [11]],
    [20, (place) => (place >= 7 && place < 14 ? large : 0), [7, 14]],
  ];
  for (const [length, shape, places] of shapes) {
    const found = Array.from({ length: 20 }, (_, index) =>
      placesIn(simulated(length, index + 1, shape), findOfFour).join(),
    );
    const nFound = found.filter((each) => each === places.join()).length;
    assert.ok(nFound >= 18, `${places}: ${nFound} of 20`);
  }
});

test('takes one or two outlying values for no level', () => {
  for (const outlying of [[29], [28, 29], [0], [14], [14, 15]]) {
    const values = simulated(30, 2).map((value, place) =>
      outlying.includes(place) ? value + 1 : value,
    );
    assert.deepEqual(placesIn(values, findAtFivePercent), [], String(outlying));
  }
});

test('takes infinite values, and ones of which most are equal', () => {
  const values = simulated(20, 3, (place) => Number(place >= 10));
  const most = Math.max(...values);
  assert.deepEqual(placesIn(values), [10]);
  assert.deepEqual(
    placesIn(values.map((value) => (value === most ? Number.POSITIVE_INFINITY : value))),
    [10],
  );
  const mostEqual = Array.from({ length: 20 }, (_, place) => (place < 14 ? 0 : place));
  assert.deepEqual(placesIn(mostEqual), [14]);
});

test('finds nothing in equal, few or no values', () => {
  assert.deepEqual(findAtFivePercent(new Array(30).fill(1)), []);
  assert.deepEqual(findAtFivePercent([0, 0, 0, 1, 1]), []);
  assert.deepEqual(findAtFivePercent([]), []);
});

test('gives the same p for the same seed', () => {
  const values = simulated(15, 4, (place) => Number(place >= 7));
  assert.deepEqual(levelChangeFinder({ seed: 1, level: LEVEL })(values), find(values));
});

test('knows the fewest values with which it can find a change', () => {
  for (const level of [0.05, 0.01, 0.0025, 0.0001]) {
    const findAt = levelChangeFinder({ seed: 1, level });
    const fewest = fewestForLevelChange(level) as number;
    const stepOf = (length: number) =>
      Array.from({ length }, (_, place) => place + (place < length / 2 ? 0 : 1000));
    assert.equal(findAt(stepOf(fewest)).length, 1, `level ${level}`);
    assert.equal(findAt(stepOf(fewest - 3)).length, 0, `level ${level}`);
  }
  assert.deepEqual(
    [fewestAtEnd(11, 0.0025), fewestAtEnd(12, 0.01), fewestAtEnd(2, 0.0025), fewestAtEnd(9, 1e-6)],
    [4, 3, null, null],
  );
  assert.ok(fewestForLevelChange(0.5) === 2 * FEWEST_OF_LEVEL);
  // No p of 100,000 orders is as small.
  assert.equal(fewestForLevelChange(0.000005), null);
});
