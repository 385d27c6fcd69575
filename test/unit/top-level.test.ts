import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from './shipped-files.ts';

/** Every top-level folder, without `node_modules/` and ignored ones. */
const FOLDERS = [
  'bin',
  'cache',
  'certs',
  'clients',
  'docs',
  'experiments',
  'ground',
  'kit',
  'network',
  'packets',
  'report',
  'results',
  'runner',
  'servers',
  'setup',
  'statistics',
  'studies',
  'test',
  'tools',
];

/** Made by commands, and not in git. */
const NOT_IN_GIT = ['dist', 'exports', 'node_modules'];

test('the top level has exactly these folders', () => {
  const found = globSync('*/', { cwd: root }).map((folder) => folder.replace(/\/$/, ''));
  assert.deepEqual(found.filter((folder) => !NOT_IN_GIT.includes(folder)).toSorted(), FOLDERS);
});

for (const folder of FOLDERS) {
  test(`${folder}/README.md begins with one sentence about the folder's purpose`, () => {
    const text = readFileSync(path.join(root, folder, 'README.md'), 'utf8');
    const [, sentence = ''] = /^# [^\n]+\n\n([^\n]+)\n/.exec(text) ?? [];
    assert.match(sentence, /^[A-Z].*\.$/);
    assert.doesNotMatch(sentence, /\. [A-Z]/, 'one sentence');
  });
}

test('CONTRIBUTING.md has every folder in its map', () => {
  const text = readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8');
  const [, map = ''] = /\n## Where things are\n(.*?)\n## /s.exec(text) ?? [];
  const rows = [...map.matchAll(/^\| \[`([a-z]+)\/`\]/gm)].map(([, folder = '']) => folder);
  assert.deepEqual(rows.toSorted(), FOLDERS);
});
