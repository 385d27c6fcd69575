import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { TooLargeError } from '../../../../ground/system/bounded-buffer.ts';
import { boundedLines, textLines } from '../../../../ground/system/bounded-lines.ts';
import { assertEach } from '../../assert-each.ts';

/** Pieces without end; counts those that were read. */
function endless(piece: string) {
  const read = { bytes: 0 };
  const source = Readable.from(
    (function* () {
      for (;;) {
        read.bytes += piece.length;
        yield Buffer.from(piece);
      }
    })(),
  );
  return { read, source };
}

test('rejects a line without end before much more than the limit is read, and closes its source', async () => {
  for (const piece of ['a', 'a'.repeat(999), 'a'.repeat(100_000)]) {
    const { read, source } = endless(piece);
    const lines = textLines(source, { maxBytes: 10_000 });
    await assert.rejects(lines.next(), TooLargeError);
    assert.ok(read.bytes <= 10_000 + 20 * piece.length, `${read.bytes} bytes were read`);
    assert.ok(source.destroyed);
  }
});

test('accepts a line at the limit, and counts the next one from zero', async () => {
  const text = `${'a'.repeat(10)}\n${'b'.repeat(10)}\r\n`;
  const source = () => Readable.from([...text].map((each) => Buffer.from(each)));
  const lines = await Array.fromAsync(textLines(source(), { maxBytes: 11 }));
  assert.deepEqual(lines, ['a'.repeat(10), 'b'.repeat(10)]);
  await assert.rejects(Array.fromAsync(textLines(source(), { maxBytes: 9 })), /line 1 has more/);
});

test('keeps the beginning of truncated lines, in any pieces', async () => {
  const text = 'abcdef\n\nxy\nabcdefgh';
  for (const size of [1, 2, 3, 5, 100]) {
    const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
    const source = Readable.from(pieces.map((piece) => Buffer.from(piece)));
    const lines = await Array.fromAsync(boundedLines(source, { maxBytes: 4, longer: 'cut' }));
    assertEach(lines, ({ number, bytes, ended }) => [number, bytes.toString(), ended], [
      [1, 'abcd', true],
      [2, '', true],
      [3, 'xy', true],
      [4, 'abcd', false],
    ]);
  }
});

test('keeps no more of a truncated line than the limit', async () => {
  const source = Readable.from(Array.from({ length: 1000 }, () => Buffer.alloc(10_000, 'a')));
  const lines = await Array.fromAsync(textLines(source, { maxBytes: 4000, longer: 'cut' }));
  assert.deepEqual(lines, ['a'.repeat(4000)]);
});
