import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agreement, cautionsOf } from '../../../../../experiments/video/told/agreement.ts';
import type { Observation } from '../../../../../records/observation.ts';
import { TELLERS, type Told } from '../../../../../records/video.ts';

type Length = readonly [atMs: number, durationMs: number];

function tellings(
  each: readonly (readonly [startupMs: number | null, stalls: Length[]])[],
): Told[] {
  return each.map(([startupMs, stalls], index) => ({
    by: TELLERS[index] as Told['by'],
    startupMs,
    stalls: stalls.map(([atMs, durationMs]) => ({ atMs, durationMs, ended: true })),
    meanBitrateKbps: null,
  }));
}

test('stalls of the same time are held against each other, and the greatest difference counts', () => {
  const { startupApartMs, stalls, apartMs } = agreement(
    tellings([
      [
        500,
        [
          [3000, 1000],
          [8000, 400],
        ],
      ],
      [
        520,
        [
          [2960, 1050],
          [8010, 400],
        ],
      ],
      [
        490,
        [
          [3030, 980],
          [8000, 390],
        ],
      ],
    ]),
  );
  assert.equal(startupApartMs, 30);
  assert.deepEqual(
    stalls.map((stall) => stall.lengthMs),
    [
      { element: 1000, player: 1050, model: 980 },
      { element: 400, player: 400, model: 390 },
    ],
  );
  assert.equal(apartMs, 70);
});

test('a stall that one does not tell of differs by its whole length', () => {
  const { apartMs } = agreement(
    tellings([
      [500, [[3000, 1000]]],
      [500, []],
      [500, [[3000, 1000]]],
    ]),
  );
  assert.equal(apartMs, 1000);
});

test('stalls of different times are not one', () => {
  const { stalls } = agreement(
    tellings([
      [500, [[3000, 300]]],
      [500, [[6000, 300]]],
      [500, []],
    ]),
  );
  assert.equal(stalls.length, 2);
});

test('those who say that playing began do not agree with one who says that it never did', () => {
  assert.equal(
    agreement(
      tellings([
        [500, []],
        [null, []],
      ]),
    ).apartMs,
    Number.POSITIVE_INFINITY,
  );
  assert.equal(
    agreement(
      tellings([
        [null, []],
        [null, []],
      ]),
    ).apartMs,
    0,
  );
});

test('a caution names the session in which tellings differ the most, and nothing where they agree', () => {
  const session = (id: string, lengths: readonly [number, number, number]) =>
    ({
      id,
      details: { told: tellings(lengths.map((ms) => [500, [[3000, ms]] as Length[]])) },
    }) as unknown as Observation;
  const good = session('a', [1000, 1040, 960]);
  const [caution, ...more] = cautionsOf([
    good,
    session('b', [1000, 1000, 800]),
    session('c', [1000, 1040, 640]),
    { id: 'd', details: null } as Observation,
  ]);
  assert.match(caution ?? '', /in 2 of 3 sessions, the most in c: a stall at 3(\.0)? s/);
  assert.deepEqual(more, []);
  assert.deepEqual(cautionsOf([good]), []);
});
