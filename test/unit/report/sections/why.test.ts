import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StackWhy } from '../../../../report/sections/stack-why.ts';
import { type Why, whyTable } from '../../../../report/sections/why.ts';

const BASE: StackWhy = {
  arm: 'bun-h2',
  label: 'Bun (h2)',
  place: 1,
  n: 5,
  nMissing: 0,
  partsMs: { setUp: 61, waiting: 150, transfer: 80, rest: 109 },
  pageLoadMs: 400,
  beyondMs: null,
  connectMs: 61,
  firstByteMs: 95,
  roundTrips: 3,
  connections: 1,
};

const QUIC: StackWhy = {
  arm: 'lsquic-h3',
  label: 'lsquic (h3)',
  place: 0,
  n: 5,
  nMissing: 0,
  partsMs: { setUp: 31, waiting: 100, transfer: 90, rest: 109 },
  pageLoadMs: 330,
  beyondMs: null,
  connectMs: 31,
  firstByteMs: 65,
  roundTrips: 2,
  connections: 1,
};

/** A table as a reader sees it: rows of cells without markup. */
function rowsOf(why: Partial<Why> = {}): string[][] {
  return [...textOf(why).matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) =>
      cell
        .replace(/<small>/g, ' ')
        .replace(/<[^>]*>/g, '')
        .trim(),
    ),
  );
}

function textOf(why: Partial<Why> = {}): string {
  const pairs = [{ arm: 'lsquic-h3', baseline: 'bun-h2' }];
  const whole = { name: 'a.test', arms: [QUIC, BASE], pairs, rttMs: 30, ...why };
  return whyTable(whole).text;
}

const rowNamed = (name: string, why: Partial<Why> = {}) =>
  rowsOf(why)
    .find(([heading]) => heading?.startsWith(name))
    ?.slice(1);

test('has a column for each stack and one for the difference, in ms and round trips', () => {
  assert.deepEqual(rowNamed('Set-up'), ['31.0', '61.0', '−30.0 −1.0 RTT']);
  assert.deepEqual(rowNamed('Transfer'), ['90.0', '80.0', '+10.0 +0.3 RTT']);
  assert.deepEqual(rowNamed('Rest'), ['109.0', '109.0', '0.0 0.0 RTT']);
  assert.deepEqual(rowNamed('Page load time'), ['330.0', '400.0', '−70.0 −2.3 RTT']);
});

test('shows differences that add up to that of the page load time', () => {
  const differences = ['Set-up', 'Waiting', 'Transfer', 'Rest'].map((part) =>
    Number.parseFloat((rowNamed(part)?.[2] ?? '').replace('−', '-')),
  );
  assert.equal(
    differences.reduce((sum, each) => sum + each, 0),
    -70,
  );
});

test('shows below what handshakes explain, as measured and by the model', () => {
  assert.deepEqual(rowNamed('First byte of the document'), ['65.0', '95.0', '−30.0 −1.0 RTT']);
  assert.deepEqual(rowNamed('The same by the model'), ['60.0 2 RTT', '90.0 3 RTT', '−30.0 −1 RTT']);
  assert.deepEqual(rowNamed('Connections'), ['1', '1', '0']);
});

test('names the part that makes most of the difference, and the share of the handshake', () => {
  assert.match(
    textOf(),
    /took 70\.0 ms less than .*; what differs most in that direction is waiting, −50\.0 ms\. By the model, the handshake on the way to the document alone makes −30\.0 ms \(−1 round trip\)\./,
  );
  const slower = { ...QUIC, pageLoadMs: 500, partsMs: { ...QUIC.partsMs, transfer: 260 } };
  assert.match(
    textOf({ arms: [slower, BASE] }),
    /took 100\.0 ms more than .*direction is transfer, \+180\.0 ms/,
  );
  assert.match(
    textOf({ arms: [{ ...QUIC, roundTrips: 3 }, BASE] }),
    /both need the same number of round trips/,
  );
});

test('states nothing in round trips without added delay, which would have no length', () => {
  assert.deepEqual(rowNamed('Set-up', { rttMs: 0.2 }), ['31.0', '61.0', '−30.0']);
  assert.doesNotMatch(textOf({ rttMs: 0.2 }), /By the model,/);
  assert.deepEqual(rowNamed('The same by the model', { rttMs: null })?.[0], '– 2 RTT');
});

test('has no differences without the baseline, and no table without any stack', () => {
  assert.deepEqual(rowNamed('Set-up', { arms: [QUIC] }), ['31.0']);
  assert.doesNotMatch(textOf({ arms: [] }), /<table/);
  assert.match(textOf({ arms: [] }), /not known/);
});

test('shows dashes for unknown numbers', () => {
  const unknown = { ...QUIC, firstByteMs: null, roundTrips: null, connections: null };
  const arms = [unknown, BASE];
  assert.deepEqual(rowNamed('First byte', { arms }), ['–', '95.0', '–']);
  assert.deepEqual(rowNamed('The same', { arms }), ['–', '90.0 3 RTT', '–']);
  assert.deepEqual(rowNamed('Connections', { arms }), ['–', '1', '–']);
  assert.doesNotMatch(textOf({ arms }), /NaN|null|undefined/);
});

test('states the number of loads in the means, and of those that could not be', () => {
  assert.match(textOf(), /Over 5 loads of each stack\./);
  const arms = [{ ...QUIC, n: 4, nMissing: 1 }, BASE];
  assert.match(
    textOf({ arms }),
    /Over 4 loads of lsquic \(h3\), 5 loads of Bun \(h2\)\. 1 load more counts, but its HAR does not have phases\./,
  );
});

test('shows the differences from its own baseline for a stack with another one', () => {
  const other = { ...BASE, arm: 'mine-h2', label: 'Mine (h2)', place: 3, pageLoadMs: 300 };
  const quic = { ...QUIC, arm: 'mine-h3', label: 'Mine (h3)', place: 2 };
  const pairs = [
    { arm: 'lsquic-h3', baseline: 'bun-h2' },
    { arm: 'mine-h3', baseline: 'mine-h2' },
  ];
  const why = { arms: [QUIC, BASE, quic, other], pairs, rttMs: null };
  assert.deepEqual(rowNamed('Page load time', why), [
    '330.0',
    '400.0',
    '330.0',
    '300.0',
    '−70.0',
    '+30.0',
  ]);
  assert.match(textOf(why), /<bdi>Mine \(h3\)<\/bdi> took 30\.0 ms more than <bdi>Mine \(h2\)/);
});

test('shows the waiting beyond a round trip, and names it where it is a notable part', () => {
  const arms = (slowMs: number) => [
    { ...QUIC, beyondMs: slowMs },
    { ...BASE, beyondMs: 2 },
  ];
  assert.deepEqual(rowNamed('Of it beyond a round trip', { arms: arms(80) }), [
    '80.0',
    '2.0',
    '+78.0 +2.6 RTT',
  ]);
  const sentence = /Beyond a round trip of each request, .*80\.0 ms and .*2\.0 ms: the server, or/;
  assert.match(textOf({ arms: arms(80) }), sentence);
  assert.doesNotMatch(textOf({ arms: arms(30) }), /Beyond a round trip of/);
  assert.equal(rowNamed('Of it beyond a round trip'), undefined);
});
