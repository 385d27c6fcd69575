import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { textDraft, writeBody } from '../../../../cache/generator/filler.ts';
import { randomSource } from '../../../../cache/generator/random.ts';

const BLOCK = { open: 'f([\n', line: { before: '"', after: '",' }, close: ']);\n' };

function draft(bytes: number, code = '') {
  return textDraft(bytes, code, BLOCK, randomSource('filler'));
}

describe('text with filler', () => {
  it('has exactly the requested size, for any size and random share', () => {
    for (let bytes = 0; bytes < 600; bytes++) {
      const text = draft(bytes);
      for (const share of [0, 0.3, 1]) {
        assert.equal(text.write(Math.floor(text.capacity * share)).length, bytes);
      }
    }
  });

  it('keeps the code in front and rejects code that does not fit', () => {
    assert.match(draft(100, 'start();\n').write(10).toString(), /^start\(\);\nf\(\[\n"/);
    assert.throws(() => draft(5, 'start();'), /needs 8 bytes, the shape allows 5/);
  });
});

describe('a body', () => {
  it('compresses to the requested size, from almost nothing to three quarters', () => {
    for (const share of [0.05, 0.1, 0.3, 0.5, 0.75]) {
      const wireBytes = Math.round(50_000 * share);
      const body = writeBody(draft(50_000), 50_000, wireBytes);
      assert.equal(body.contentEncoding, 'gzip');
      assert.ok(
        Math.abs(body.sent.length - wireBytes) <= 25,
        `${body.sent.length} of ${wireBytes}`,
      );
      assert.deepEqual(gunzipSync(body.sent), body.decoded);
    }
  });

  it('is sent uncompressed if compression would gain nothing', () => {
    for (const wireBytes of [1000, 1200]) {
      const { sent, decoded, contentEncoding } = writeBody(draft(1000), 1000, wireBytes);
      assert.equal(contentEncoding, null);
      assert.equal(sent, decoded);
    }
  });
});
