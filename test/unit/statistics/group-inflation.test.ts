import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupInflation } from '../../../statistics/group-inflation.ts';

test('inflates by groups that differ more than their values, with the degrees of freedom of the groups', () => {
  // Between: 2 x (1.5 - 2.5)^2 x 2 / 1 = 4. Over all: 5 / 3.
  assert.deepEqual(
    groupInflation([
      [
        [1, 2],
        [3, 4],
      ],
    ]),
    { inflation: 2.4, degreesOfFreedom: 1 },
  );
});

test('pools samples around their own centres', () => {
  const one = [
    [1, 2],
    [3, 4],
  ];
  const other = one.map((group) => group.map((value) => value + 100));
  assert.deepEqual(groupInflation([one, other]), { inflation: 2.4, degreesOfFreedom: 2 });
});

test('inflates nothing for groups that are alike or unknown', () => {
  const nothing = { inflation: 1, degreesOfFreedom: Number.POSITIVE_INFINITY };
  assert.deepEqual(
    groupInflation([
      [
        [1, 2],
        [1, 2],
      ],
    ]),
    { inflation: 1, degreesOfFreedom: 1 },
  );
  assert.deepEqual(groupInflation([[[1], [2], [3]]]), nothing);
  assert.deepEqual(groupInflation([[[1, 2, 3]]]), nothing);
  assert.deepEqual(groupInflation([]), nothing);
});

test('excludes failures', () => {
  const failed = Number.POSITIVE_INFINITY;
  assert.equal(
    groupInflation([
      [
        [1, 2, failed],
        [3, 4],
      ],
    ]).inflation,
    2.4,
  );
});
