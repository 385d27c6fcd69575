// Not a unit test: without some slices, parts that they share have no users, and that is no fault.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isTest, root } from './unit/shipped-files.ts';

const WORDS_OF = new Map(
  globSync('**/*.{ts,mjs}', {
    cwd: root,
    exclude: ['node_modules', '.venv', '.setup', 'cache/sites', 'results', 'dist'],
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

const findings = EXPORTS.flatMap(({ at, usesHere, users }) => {
  if (users.length === 0) return [`${at} is exported, and no other file uses it`];
  return usesHere === 0 && users.every(isTest) ? [`${at} is used by tests alone`] : [];
});
for (const finding of findings) console.error(finding);
process.exitCode = findings.length > 0 || EXPORTS.length === 0 ? 1 : 0;
