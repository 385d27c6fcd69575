import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from './shipped-files.ts';

const SNAPSHOTS = globSync('{test,experiments,studies,tools}/**/snapshots/*.txt', { cwd: root });

test('every approved text belongs to a test that approves it by its name', () => {
  assert.ok(SNAPSHOTS.length > 0);
  const unused = SNAPSHOTS.filter((file) => {
    const [base = '', name = ''] = path.basename(file, '.txt').split('.');
    const own = path.join(root, path.dirname(file), '..', `${base}.test.ts`);
    return !existsSync(own) || !readFileSync(own, 'utf8').includes(`'${name}'`);
  });
  assert.deepEqual(unused, []);
});

test('every approved text is short enough to be read in a review', () => {
  const long = SNAPSHOTS.filter(
    (file) => readFileSync(path.join(root, file), 'utf8').split('\n').length > 80,
  );
  assert.deepEqual(long, []);
});
