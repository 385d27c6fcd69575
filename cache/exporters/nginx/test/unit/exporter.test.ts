import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertLimitsSaid, longUrl } from '../../../../../test/unit/cache/exporters/hard-site.ts';
import { quoted, Texts } from '../../exporter.ts';

/** Reads a word of nginx as nginx does: quotes, and backslashes before quotes and backslashes. */
function readWord(word: string): string {
  const [, inner] = /^"(.*)"$/s.exec(word) ?? [];
  assert.ok(inner !== undefined && !/(?<!\\)(\\\\)*"/.test(inner), `not one word: ${word}`);
  return inner.replace(/\\(["\\])/g, '$1');
}

const ODD = ['plain', 'a "quoted" \\ back\\\\slash\\', '{braces} \\{ \\" ;#', "it's"];

test('nginx reads back the texts that words hold', () => {
  for (const text of ODD) {
    assert.equal(readWord(quoted(text)), text);
    assert.equal(readWord(new Texts().word(text)), text);
  }
});

test('what has a dollar or is too long for a word of nginx comes from variables that hold it as it is', () => {
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

test('variables of several texts have names of their own', () => {
  const texts = new Texts();
  assert.notEqual(texts.word('$a'), texts.word('$b'));
  assert.equal(texts.lines.length, 2);
});

test('an export says in its README and aloud what the server cannot do, and leaves only that out', (t) =>
  assertLimitsSaid(
    t,
    'nginx',
    longUrl('nginx'),
    /GET .*\/empty: nginx sends no empty header: x-empty/,
  ));
