import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { isTest, root } from './shipped-files.ts';

const WORDS_OF = new Map(
  globSync('**/*.{ts,mjs}', {
    cwd: root,
    exclude: ['node_modules', '.venv', '.setup', 'cache/sites', 'results'],
  })
    .filter((file) => !file.endsWith('.d.ts'))
    .map((file) => [file, readFileSync(path.join(root, file), 'utf8')] as const)
    .map(([file, source]) => [file, { source, words: new Set(source.match(/\w+/g)) }] as const),
);

const EXPORT = /^export (?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/gm;

/** Exports of the program, with the other files that have such a word. */
const EXPORTS = [...WORDS_OF]
  .filter(([file]) => !isTest(file))
  .flatMap(([file, { source }]) =>
    [...source.matchAll(EXPORT)].map(([, name = '']) => ({
      name,
      at: `${file}: ${name}`,
      usesHere: [...source.matchAll(new RegExp(`\\b${name}\\b`, 'g'))].length - 1,
      users: [...WORDS_OF].flatMap(([other, { words }]) =>
        other !== file && words.has(name) ? [other] : [],
      ),
    })),
  );

test('nothing is exported that no other file uses', () => {
  assert.ok(EXPORTS.length > 1000);
  assert.deepEqual(
    EXPORTS.flatMap(({ at, users }) => (users.length === 0 ? [at] : [])),
    [],
  );
});

test('no export is used by tests alone', () => {
  const unused = EXPORTS.filter(({ usesHere, users }) => usesHere === 0 && users.every(isTest));
  assert.deepEqual(
    unused.map(({ at }) => at),
    [],
  );
});
