import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { allExperiments } from '../../experiments/index.ts';
import { CODES } from '../../ground/records/codes.ts';
import { isTest } from './shipped-files.ts';

const root = path.join(import.meta.dirname, '..', '..');

test('the list of codes has every code that an attempt can have', () => {
  const lists = [CODES, ...allExperiments().map(({ codes = {} }) => codes)];
  const known = new Set(lists.flatMap(Object.values).flatMap(Object.keys));
  const sources = globSync('{clients,experiments,runner}/**/*.ts', { cwd: root }).filter(
    (file) => !isTest(file),
  );
  const codes = sources.flatMap((file) =>
    [...readFileSync(path.join(root, file), 'utf8').matchAll(/\bcode: '([a-z-]+)'/g)].map(
      ([, code = '']) => code,
    ),
  );
  assert.ok(codes.length > 20);
  assert.deepEqual(
    codes.filter((code) => !known.has(code)),
    [],
  );
});
