import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomSource } from '../../../../cache/generator/random.ts';

describe('a random source', () => {
  it('gives the same for the same seed and something else for another', () => {
    assert.equal(randomSource('a/1').text(50), randomSource('a/1').text(50));
    assert.notEqual(randomSource('a/1').text(50), randomSource('a/2').text(50));
  });

  it('gives text that needs no escape in HTML comments, JavaScript, CSS and JSON', () => {
    assert.doesNotMatch(randomSource('a/1').text(100_000), /[^!-~]|["'`\\<>&-]/);
  });
});
