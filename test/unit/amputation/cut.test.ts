import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { cutIndex, cutScripts, cutSlice } from '../../amputation/cut.ts';
import { KINDS, type Kind, removableSlices, slicesOf } from '../../amputation/kinds.ts';
import { halvesOf, outermost } from '../../amputation/rounds.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

test('removes an entry of an index with its import, from its own line or from a shared one', () => {
  const { text, removed } = cutIndex(
    `import { one } from './one/it.ts';
import {
  two,
  type Two,
} from './two/it.ts';
import { twofold } from './twofold/it.ts';
export const ALL = [one, two, twofold];
export const LAST = { one, two };
export const FIRST = [two, one];
export const ONLY = [two];
export const LONG = {
  one,
  two,
  other: two,
  ...two,
  twofold,
  two: () => import('./two/more.ts'),
};
`,
    'two',
  );
  assert.equal(
    text,
    `import { one } from './one/it.ts';
import { twofold } from './twofold/it.ts';
export const ALL = [one, twofold];
export const LAST = { one };
export const FIRST = [one];
export const ONLY = [];
export const LONG = {
  one,
  twofold,
};
`,
  );
  assert.equal(removed.length, 9);
});

test('removes scripts that have the name of a slice or run a file of it, with their pre scripts', () => {
  const scripts = {
    preloud: 'setup',
    loud: 'node bin/program.ts loud',
    'prebench:louder': 'setup',
    'bench:louder': 'node experiments/loud/bench/louder.ts',
    louder: 'node bin/program.ts louder',
    pre: 'a script of its own',
  };
  const { text, removed } = cutScripts(JSON.stringify({ name: 'it', scripts }), {
    name: 'loud',
    folder: 'experiments/loud',
  });
  const { louder, pre } = scripts;
  assert.deepEqual(JSON.parse(text), { name: 'it', scripts: { louder, pre } });
  assert.equal(removed.length, 4);
});

test('does not cut a slice that no index names', (t) => {
  const root = projectWith(t, { 'studies/one/study.ts': '', 'studies/index.ts': '' });
  const [one] = slicesOf(root);
  assert.ok(one);
  assert.throws(() => cutSlice(root, one), /No file next to studies\/one\/ names it/);
});

test('cuts a slice with its folder, its line of the index and its script', (t) => {
  const root = projectWith(t, {
    'clients/bun/client.ts': '',
    'clients/it/client.ts': '',
    'clients/index.ts': `import { it } from './it/client.ts';\n`,
    'clients/python/common.py': '',
    'package.json': '{"scripts":{"bench:it":"node clients/it/bench/it.ts"}}',
  });
  const [slice, ...further] = removableSlices(root);
  assert.ok(slice);
  assert.deepEqual(further, [], 'the kept one and the shared folder are none');
  assert.deepEqual(cutSlice(root, slice), [
    `clients/index.ts: import { it } from './it/client.ts';`,
    'package.json: bench:it',
  ]);
  assert.equal(readFileSync(path.join(root, 'clients', 'index.ts'), 'utf8'), '');
  assert.deepEqual(removableSlices(root), []);
});

test('puts half of the slices of every kind into each of two rounds, and a nested slice with its outer one', () => {
  const [experiments, stacks, , players] = KINDS as [Kind, Kind, Kind, Kind];
  const slice = (kind: Kind, folder: string) => ({
    kind,
    name: path.basename(folder),
    folder,
    indices: [],
  });
  const slices = [
    slice(experiments, 'experiments/loud'),
    slice(experiments, 'experiments/quiet'),
    slice(players, 'experiments/loud/players/fast'),
    slice(stacks, 'servers/small'),
  ];
  assert.deepEqual(
    halvesOf(slices).map((half) => half.map(({ name }) => name)),
    [['loud', 'fast', 'small'], ['quiet']],
  );
  assert.deepEqual(
    outermost(slices).map(({ name }) => name),
    ['loud', 'quiet', 'small'],
  );
});

function projectWith(
  t: { after(remove: () => void): void },
  files: Readonly<Record<string, string>>,
): string {
  const root = temporaryFolder(t);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  return root;
}
