import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertLimitsSaid, longUrl } from '../../../../../test/unit/cache/exporters/hard-site.ts';
import { quoted, Texts } from '../../exporter.ts';

/** Reads a word as nginx does: quotes, and backslashes before quotes and backslashes. */
function readWord(word: string): string {
  const [, inner] = /^"(.*)"$/s.exec(word) ?? [];
  assert.ok(inner !== undefined && !/(?<!\\)(\\\\)*"/.test(inner), `not one word: ${word}`);
  return inner.replace(/\\(["\\])/g, '$1');
}

const ODD = ['plain', 'a "quoted" \\ back\\\\slash\\', '{braces} \\{ \\" ;#', "it's"];

test('is read back by nginx from words', () => {
  for (const text of ODD) {
    assert.equal(readWord(quoted(text)), text);
    assert.equal(readWord(new Texts().word(text)), text);
  }
});

test('puts a text with a dollar or too long for a word of nginx into variables unchanged', () => {
  for (const text of ['$host', `a\${b}c`, '"$"', 'x'.repeat(9000), `${'"'.repeat(9000)}$`]) {
    const texts = new Texts();
    const word = texts.word(text);
    const values = new Map(
      texts.lines.map((line) => {
        const [, name = '', value = ''] = /^geo \$(\w+) \{ default (".*"); \}$/s.exec(line) ?? [];
        assert.ok(value.length < 4096);
        return [name, readWord(value)];
      }),
    );
    assert.equal(
      readWord(word).replace(/\$\{(\w+)\}/g, (_, name) => values.get(name) ?? '?'),
      text,
    );
  }
});

test('gives variables of several texts separate names', () => {
  const texts = new Texts();
  assert.notEqual(texts.word('$a'), texts.word('$b'));
  assert.equal(texts.lines.length, 2);
});

test("states in an export's README and output what the server cannot do, and omits only that", (t) =>
  assertLimitsSaid(
    t,
    'nginx',
    longUrl('nginx'),
    /GET .*\/empty: nginx sends no empty header: x-empty/,
  ));
