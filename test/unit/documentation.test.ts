import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { isFailureOfStack } from '../../ground/records/counted-loads.ts';
import { KINDS } from '../amputation/kinds.ts';
import { isTest } from './shipped-files.ts';

const root = path.join(import.meta.dirname, '..', '..');

const PAGES = globSync('{*,!(node_modules)/**/*}.md', {
  cwd: root,
}).filter(
  (file) =>
    !file.startsWith(path.join('cache', 'sites')) && !/^results\/./.test(path.dirname(file)),
);

function textOf(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(file: string): string[] {
  return [...textOf(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Whether a path leads into a slice that this project does not have: pages may link to slices, and slices can be removed. */
function isOfRemovedSlice(target: string): boolean {
  return KINDS.some(({ folder }) => {
    const [name, ...inside] = path.relative(folder, target).split(path.sep);
    const isInSlice = name !== undefined && /^[\w-]+$/.test(name) && inside.length > 0;
    return isInSlice && !existsSync(path.join(root, folder, name));
  });
}

test('every link between pages of the documentation leads to a file and a heading that exist', () => {
  const broken = PAGES.flatMap((page) =>
    [...textOf(page).matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?\)/g)].flatMap(
      ([link, to = '', anchor]) => {
        const target = to === '' ? page : path.join(path.dirname(page), to);
        if (isOfRemovedSlice(target)) return [];
        const leads =
          existsSync(path.join(root, target)) &&
          (anchor === undefined || anchorsOf(target).includes(anchor));
        return leads ? [] : [`${page}: ${link}`];
      },
    ),
  );
  assert.ok(PAGES.length > 15);
  assert.deepEqual(broken, []);
});

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
  const rows = [...page.matchAll(/^\| `(?:failed|invalid)` \| (● )?`([a-z-]+)` \|/gm)];
  assert.ok(rows.length > 20);
  for (const [, mark, code = ''] of rows) {
    assert.equal(isFailureOfStack(code), mark !== undefined, code);
  }
});
