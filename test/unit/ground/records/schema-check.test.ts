import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schemaCheck, shortJson } from '../../../../ground/records/schema-check.ts';

const check = schemaCheck({
  type: 'object',
  properties: {
    ms: { type: ['number', 'null'], minimum: 0, maximum: 10 },
    word: { enum: ['a', 'b', null] },
    one: { const: 1 },
    text: { type: 'string', minLength: 1 },
    at: { type: 'string', format: 'date-time' },
    file: { type: 'string', pattern: '^har/' },
    list: {
      type: 'array',
      items: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
      minItems: 1,
      uniqueItems: true,
    },
    counts: { type: 'object', additionalProperties: { type: 'integer' } },
  },
  additionalProperties: false,
});

test('reports the first problem in a sentence with the path, the actual and the expected value', () => {
  for (const [value, sentence] of [
    [{ ms: 'fast' }, 'ms is "fast", expected number or null'],
    [{ ms: -1 }, 'ms is -1, expected a number >= 0'],
    [{ ms: 11 }, 'ms is 11, expected a number <= 10'],
    [{ word: 'c' }, 'word is "c", expected "a" or "b" or null'],
    [{ one: 2 }, 'one is 2, expected 1'],
    [{ text: '' }, 'text is "", expected text that is not empty'],
    [{ at: 'yesterday' }, 'at is "yesterday", expected a date-time'],
    [{ file: '/etc' }, 'file is "/etc", expected text like ^har/'],
    [{ list: [] }, 'list is [], expected at least 1 of them'],
    [{ list: [{ n: 1 }, { n: 1 }] }, 'list is [{"n":1},{"n":1}], expected each of them once'],
    [{ list: [{ n: 1 }, {}] }, 'list[1].n is missing'],
    [{ list: [{ n: 1.5 }] }, 'list[0].n is 1.5, expected integer'],
    [{ counts: { 'http/1.1': 'x' } }, 'counts["http/1.1"] is "x", expected integer'],
    [{ surplus: 1 }, 'surplus is not a field of this format'],
    [{ 'a\u001b[2J': 1 }, '["a\\u001b[2J"] is not a field of this format'],
    [[], 'not an object'],
    [null, 'not an object'],
  ] as const) {
    assert.equal(check(value), sentence);
  }
});

test('finds no problem in a valid value', () => {
  assert.equal(check({ ms: null, word: null, list: [{ n: 1 }], counts: { h3: 1 } }), null);
});

test('rejects numbers that JSON cannot hold', () => {
  assert.match(check({ ms: Number.POSITIVE_INFINITY }) ?? '', /^ms is /);
  assert.match(check({ ms: Number.NaN }) ?? '', /^ms is /);
});

test('accepts only existing moments of RFC 3339', () => {
  for (const at of [
    '2026-11-20T10:00:00.000Z',
    '2024-02-29T23:59:59Z',
    '2026-11-20T10:00:00+01:00',
  ]) {
    assert.equal(check({ at }), null, at);
  }
  for (const at of [
    '',
    '2026-11-20',
    '2026-11-20T10:00:00',
    '2026-02-29T10:00:00Z',
    '2026-04-31T00:30:00+01:00',
    '2026-13-01T10:00:00Z',
    '2026-11-20T25:00:00Z',
    '2026-11-20 10:00:00Z',
    'Fri Nov 20 2026',
  ]) {
    assert.match(check({ at }) ?? 'accepted', /expected a date-time$/, at);
  }
});

test('throws at the first use of a schema with an unknown keyword', () => {
  assert.throws(() => schemaCheck({ type: 'object', propertys: {} })({}), /propertys/);
});

test('shortens displayed values', () => {
  assert.equal(shortJson('x'.repeat(1000)).length, 63);
  assert.equal(shortJson(undefined), 'missing');
});
