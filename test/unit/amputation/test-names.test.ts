import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { patternsIn, testFilesIn, testNamesIn } from '../../amputation/test-names.ts';
import { root } from '../shipped-files.ts';

const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const PATTERNS = patternsIn(scripts);

test('every file of tests is run by an npm script', () => {
  const files = testFilesIn(root);
  assert.ok(files.length > 400);
  const run = new Set(globSync([...PATTERNS.values()].flat(), { cwd: root }));
  assert.deepEqual(
    files.filter((file) => !run.has(file)),
    [],
  );
});

test('every file that an npm script names exists', () => {
  for (const pattern of [...PATTERNS.values()].flat()) {
    const [, list] = /\{([\w,-]+)\}\.test\.ts$/.exec(pattern) ?? [];
    const found = new Set(globSync(pattern, { cwd: root }).map((file) => path.basename(file)));
    const missing = (list?.split(',') ?? []).filter((name) => !found.has(`${name}.test.ts`));
    assert.deepEqual(missing, [], pattern);
  }
});

test('names are read in any quotes, of nested tests too', () => {
  const source = [
    "test('it\\'s one', () => {",
    '  await t.test(`each of them`, () => {});',
    'test.skip(',
    '  "long",',
    "tested('none')",
  ];
  assert.deepEqual(testNamesIn(source.join('\n')), ["it\\'s one", 'each of them', 'long']);
});
