import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const root = path.join(import.meta.dirname, '..', '..');

const WORDS_OF = new Map(
  globSync('**/*.{ts,mjs}', { cwd: root, exclude: ['node_modules', '.venv', 'cache/sites'] })
    .filter((file) => !file.endsWith('.d.ts'))
    .map((file) => [file, readFileSync(path.join(root, file), 'utf8')] as const)
    .map(([file, source]) => [file, { source, words: new Set(source.match(/\w+/g)) }] as const),
);

/** Values, not types: those of schemas stand beside them whether or not another file names them. */
const EXPORT = /^export (?:async )?(?:function\*?|const|let|class) (\w+)/gm;

test('nothing is exported that no other file uses', () => {
  const files = [...WORDS_OF].filter(([file]) => !file.startsWith('test/'));
  assert.ok(files.length > 300);
  const unused = files.flatMap(([file, { source }]) =>
    [...source.matchAll(EXPORT)]
      .map(([, name]) => name as string)
      .filter(
        (name) => ![...WORDS_OF].some(([other, { words }]) => other !== file && words.has(name)),
      )
      .map((name) => `${file}: ${name}`),
  );
  assert.deepEqual(unused, []);
});
