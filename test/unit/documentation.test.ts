import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { isFailureOfStack } from '../../ground/records/counted-loads.ts';
import { isTest } from './shipped-files.ts';

const root = path.join(import.meta.dirname, '..', '..');

function textOf(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

test('results/README.md explains every code that an attempt can have', () => {
  const sources = globSync('{clients,experiments,runner}/**/*.ts', { cwd: root }).filter(
    (file) => !isTest(file),
  );
  const codes = sources.flatMap((file) =>
    [...textOf(file).matchAll(/\bcode: '([a-z-]+)'/g)].map(([, code = '']) => code),
  );
  const page = textOf(path.join('results', 'README.md'));
  assert.ok(codes.length > 20);
  assert.deepEqual(
    codes.filter((code) => !page.includes(`\`${code}\``)),
    [],
  );
});

test('results/README.md marks the codes that count as failures of the stack', () => {
  const page = textOf(path.join('results', 'README.md'));
  const rows = [...page.matchAll(/^\| (● )?`([a-z-]+)` \| \S/gm)];
  assert.ok(rows.length > 20);
  for (const [, mark, code = ''] of rows) {
    assert.equal(isFailureOfStack(code), mark !== undefined, code);
  }
});
