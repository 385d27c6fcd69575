import assert from 'node:assert/strict';
import { test } from 'node:test';
import { didYouMean } from '../../../../ground/options/nearest-name.ts';

test('suggests the nearest name, if one is near', () => {
  const names = ['lsquic-h3', 'bun-h2', 'flask-h1', 'www.wikipedia.org', 'via'];
  for (const [word, near] of [
    ['lsquic-h2', 'lsquic-h3'],
    ['bunh2', 'bun-h2'],
    ['Flask-H1', 'flask-h1'],
    ['www.wikpedia.org', 'www.wikipedia.org'],
    ['wikipedia.org', 'www.wikipedia.org'],
    ['vai', 'via'],
  ] as const) {
    assert.equal(didYouMean(word, names), ` Did you mean ${near}?`);
  }
  for (const word of ['nginx', 'x', '', 'www.example.org'])
    assert.equal(didYouMean(word, names), '');
  assert.equal(didYouMean('x', []), '');
});
