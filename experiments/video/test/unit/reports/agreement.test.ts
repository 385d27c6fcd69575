import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Observation } from '../../../../../ground/records/observation.ts';
import { assertEach } from '../../../../../test/unit/assert-each.ts';
import { type SessionReport, SOURCES } from '../../../records.ts';
import { cautionsOf, compareReports, isAgreed } from '../../../reports/agreement.ts';

type Length = readonly [atMs: number, durationMs: number];

function reportsWith(
  each: readonly (readonly [startupMs: number | null, stalls: Length[], kbps?: number])[],
): SessionReport[] {
  return each.map(([startupMs, stalls, kbps = null], index) => ({
    by: SOURCES[index] as SessionReport['by'],
    startupMs,
    stalls: stalls.map(([atMs, durationMs]) => ({ atMs, durationMs, ended: true })),
    meanBitrateKbps: kbps,
  }));
}

test('compares stalls of the same time, and takes the greatest difference', () => {
  const { startupApartMs, stalls, stalledApartMs, apart } = compareReports(
    reportsWith([
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
  assertEach(stalls, (stall) => stall.lengthMs, [
    { element: 1000, player: 1050, model: 980 },
    { element: 400, player: 400, model: 390 },
  ]);
  assert.equal(stalledApartMs, 70);
  assert.equal(apart, 0.7);
});

test('counts the whole length of a stall that one source misses', () => {
  const { stalledApartMs, apart } = compareReports(
    reportsWith([
      [500, [[3000, 1000]]],
      [500, []],
      [500, [[3000, 1000]]],
    ]),
  );
  assert.equal(stalledApartMs, 1000);
  assert.equal(apart, 10);
});

test('does not match stalls of different times', () => {
  const { stalls } = compareReports(
    reportsWith([
      [500, [[3000, 300]]],
      [500, [[6000, 300]]],
      [500, []],
    ]),
  );
  assert.equal(stalls.length, 2);
});

test('finds no agreement between a source with playback and one without', () => {
  assert.equal(
    compareReports(
      reportsWith([
        [500, []],
        [null, []],
      ]),
    ).apart,
    Number.POSITIVE_INFINITY,
  );
  assert.equal(
    compareReports(
      reportsWith([
        [null, []],
        [null, []],
      ]),
    ).apart,
    0,
  );
});

test('allows bitrates to be 5 % apart, among the sources that report one', () => {
  const said = (...kbps: (number | undefined)[]) =>
    compareReports(reportsWith(kbps.map((each) => [500, [], each])));
  const apart = said(1000, 1049, 1020);
  assert.ok(isAgreed(apart));
  assert.ok(Math.abs(apart.bitrateApartPercent - 4.9) < 1e-9, `${apart.bitrateApartPercent}`);
  assert.equal(isAgreed(said(1000, 1051, 1020)), false);
  assert.equal(isAgreed(said(undefined, 1051, 1000)), false);
  assert.equal(said(undefined, undefined, 1000).bitrateApartPercent, 0);
});

test('names the bitrate in a caution if it differs most', () => {
  const session = {
    id: 'a',
    details: { reports: reportsWith([1000, 1000, 700].map((kbps) => [500, [[3000, 400]], kbps])) },
  } as unknown as Observation;
  const [caution] = cautionsOf([session]);
  assert.match(
    caution ?? '',
    /by more than 0\.1 s of start-up or a stall, or 5 % of the bitrate, in 1 of 1 session/,
  );
  assert.match(caution ?? '', /Largest difference in a: 42\.9 % of the bitrate\./);
});

test('names the session with the largest difference in a caution, and nothing if all agree', () => {
  const session = (id: string, lengths: readonly [number, number, number]) =>
    ({
      id,
      details: { reports: reportsWith(lengths.map((ms) => [500, [[3000, ms]] as Length[]])) },
    }) as unknown as Observation;
  const good = session('a', [1000, 1040, 960]);
  const [caution, ...more] = cautionsOf([
    good,
    session('b', [1000, 1000, 800]),
    session('c', [1000, 1040, 640]),
    { id: 'd', details: null } as Observation,
  ]);
  assert.match(caution ?? '', /in 2 of 3 sessions\. Largest difference in c: a stall at 3(\.0)? s/);
  assert.deepEqual(more, []);
  assert.deepEqual(cautionsOf([good]), []);
});
