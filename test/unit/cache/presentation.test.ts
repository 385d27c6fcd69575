import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemOfPresentation, type Representation } from '../../../cache/presentation.ts';

const URL = 'https://video.example/a.webm';
const EMPTY = 'https://video.example/empty.webm';
const SIZES = new Map([
  [URL, 100],
  [EMPTY, 0],
]);

const SEGMENT = { url: URL, bytes: [50, 99] as const, fromMs: 0, durationMs: 2000 };

const REPRESENTATION: Representation = {
  id: '0',
  kind: 'video',
  kbps: 150,
  codecs: 'vp09.00.10.08',
  mime: 'video/webm',
  width: 256,
  height: 144,
  init: { url: URL, bytes: [0, 49] },
  segments: [SEGMENT],
};

const problemOf = (representations: unknown, durationMs = 2000) =>
  problemOfPresentation(
    { durationMs, representations: representations as Representation[] },
    SIZES,
  );

test('finds no problem in a valid presentation, with an init or without', () => {
  assert.equal(
    problemOf([REPRESENTATION, { ...REPRESENTATION, id: '1', kind: 'audio', init: null }]),
    null,
  );
  assert.equal(problemOf([{ ...REPRESENTATION, segments: [{ ...SEGMENT, bytes: null }] }]), null);
});

test('rejects a presentation without anything playable, with the problem', () => {
  assert.match(problemOf([REPRESENTATION], 0) ?? '', /^durationMs is 0$/);
  assert.match(problemOf(undefined) ?? '', /^representations is missing$/);
  assert.match(problemOf([]) ?? '', /^no representation has video$/);
  assert.match(
    problemOf([{ ...REPRESENTATION, kind: 'audio' }]) ?? '',
    /^no representation has video$/,
  );
  assert.match(
    problemOf([REPRESENTATION, null]) ?? '',
    /^representations\[1\] \(undefined\): not an object$/,
  );
});

const changed = (segment: object) => ({ segments: [{ ...SEGMENT, ...segment }] });

const REFUSED: readonly [what: string, change: object, problem: RegExp][] = [
  ['no id', { id: '' }, /id is missing$/],
  ['no codecs', { codecs: undefined }, /codecs is missing$/],
  ['no container', { mime: 7 }, /mime is missing$/],
  ['a rate of nothing', { kbps: 0 }, /kbps is 0$/],
  ['no segments', { segments: [] }, /segments is missing$/],
  ['an init that is nowhere', { init: { url: 'x', bytes: null } }, /init: x is not a resource$/],
  ['a segment that is nowhere', changed({ url: 'x' }), /segments\[0\]: x is not a resource$/],
  ['a segment of no length', changed({ durationMs: 0 }), /fromMs is 0, durationMs is 0$/],
  ['a segment without a place', changed({ fromMs: Number.NaN }), /fromMs is NaN/],
  [
    'two segments at one place',
    { segments: [SEGMENT, SEGMENT] },
    /segments\[1\] does not begin after/,
  ],
  ['an empty segment', changed({ url: EMPTY, bytes: null }), /empty\.webm is empty$/],
  ['bytes beyond the end', changed({ bytes: [50, 100] }), /bytes 50,100 are not in .* \(100\)$/],
  ['bytes backwards', changed({ bytes: [60, 50] }), /bytes 60,50 are not in/],
  ['bytes before the start', changed({ bytes: [-1, 50] }), /bytes -1,50 are not in/],
  ['invalid bytes', changed({ bytes: ['a', 'b'] }), /bytes a,b are not in/],
];

for (const [what, change, problem] of REFUSED) {
  test(`rejects a quality level with ${what}`, () => {
    assert.match(problemOf([{ ...REPRESENTATION, ...change }]) ?? '', problem);
  });
}

test('rejects a kind that is neither picture nor sound', () => {
  assert.match(
    problemOf([REPRESENTATION, { ...REPRESENTATION, kind: 'text' }]) ?? '',
    /representations\[1\] \(0\): kind is text$/,
  );
});
