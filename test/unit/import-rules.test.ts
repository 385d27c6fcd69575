import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { isTest, root } from './shipped-files.ts';

/** Folders that everything below in this list may import; never in the opposite direction. */
const LAYERS = [
  'statistics',
  'ground',
  'kit',
  'cache',
  'certs',
  'network',
  'servers',
  'clients',
  'experiments',
  'packets',
  'report',
  'runner',
  'tools',
  'studies',
  'bin',
] as const;

/** Packages from npm, with the folders that may import them. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  '@observablehq/plot': ['kit/charts', 'packets', 'report/sections', 'studies'],
  '@peculiar/x509': ['certs'],
  '@xmldom/xmldom': ['cache/dash'],
  ajv: ['ground/records'],
  bullmq: ['runner/queue'],
  'chrome-har': ['clients/chromium'],
  commander: ['runner/command-line'],
  'csv-parse': ['experiments'],
  ioredis: ['runner/queue'],
  'jpeg-js': ['clients/chromium'],
  linkedom: ['kit/charts'],
  'mpd-parser': ['cache/dash'],
  protobufjs: ['cache/importers'],
  'puppeteer-core': ['clients/chromium', 'experiments/*/players', 'tools'],
  'pure-rand': ['statistics', 'cache/generator', 'experiments', 'runner'],
  'reflect-metadata': ['certs'],
  'speedline-core': ['clients/chromium'],
  tldts: ['experiments/page-load'],
  'tough-cookie': ['cache/importers'],
  typebox: ['ground/records'],
  yauzl: ['cache/importers'],
};

/**
 * Folders each of whose folders is a slice. Shared code of two slices of a kind stands next to
 * them.
 */
const KINDS = ['experiments', 'studies', 'cache/importers', 'cache/exporters'] as const;

/**
 * Page loads are the subject of the project: the report and its tools may use their types and
 * metrics.
 */
const KEPT = 'experiments/page-load';

const SOURCES = LAYERS.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root })).filter(
  (file) => !/cache\/(sites|videos)\//.test(file) && !file.endsWith('.d.ts') && !isTest(file),
);

function importsOf(file: string): string[] {
  const source = readFileSync(path.join(root, file), 'utf8');
  const found = source.matchAll(/(?:\bfrom\s+|\bimport\s+|\b(?:import|require)\s*\(\s*)'([^']+)'/g);
  // The browser's internal pages are loaded by code that runs in the browser.
  return [...found]
    .map(([, specifier]) => specifier as string)
    .filter((specifier) => !/^chrome:/.test(specifier));
}

/** Target file of a relative import; null: it is a package, or Node's or Bun's own. */
function targetOf(file: string, specifier: string): string | null {
  return specifier.startsWith('.')
    ? path.normalize(path.join(path.dirname(file), specifier))
    : null;
}

function packageOf(specifier: string): string {
  return specifier.split('/', specifier[0] === '@' ? 2 : 1).join('/');
}

function layerOf(file: string): number {
  return LAYERS.findIndex((folder) => file.startsWith(`${folder}/`));
}

/** The slice of a kind that contains a file; null: not in a slice. */
function sliceOf(kind: string, file: string): string | null {
  const [slice = '..', ...inside] = path.relative(kind, file).split(path.sep);
  return slice !== '..' && inside.length > 0 ? slice : null;
}

/**
 * Benches measure the whole program, and each stands next to its subject: they may import anything,
 * and only they import each other.
 */
function isBench(file: string): boolean {
  return /(^|\/)bench\//.test(file);
}

test('no import goes up', () => {
  assert.ok(SOURCES.length > 500);
  const up = SOURCES.filter((file) => !isBench(file)).flatMap((file) =>
    importsOf(file).flatMap((specifier) => {
      const target = targetOf(file, specifier);
      if (target === null) return [];
      return isBench(target) || layerOf(target) > layerOf(file) ? [`${file}: ${target}`] : [];
    }),
  );
  assert.deepEqual(up, []);
});

test('packages are imported only in their folders', () => {
  const elsewhere = SOURCES.flatMap((file) =>
    importsOf(file).flatMap((specifier) => {
      if (targetOf(file, specifier) !== null || /^(node|bun):/.test(specifier)) return [];
      const folders = PACKAGES[packageOf(specifier)] ?? [];
      return folders.some((folder) => path.matchesGlob(file, `${folder}/**`))
        ? []
        : [`${file}: ${specifier}`];
    }),
  );
  assert.deepEqual(elsewhere, []);
});

for (const kind of KINDS) {
  test(`no slice of ${kind}/ imports another one, and only its index imports one from outside`, () => {
    const wrong = SOURCES.flatMap((file) =>
      importsOf(file).flatMap((specifier) => {
        const target = targetOf(file, specifier);
        const slice = target && sliceOf(kind, target);
        const isFree = path.dirname(file) === kind || target?.startsWith(`${KEPT}/`);
        return slice && !isFree && sliceOf(kind, file) !== slice ? [`${file}: ${target}`] : [];
      }),
    );
    assert.deepEqual(wrong, []);
  });
}

test('no file imports itself indirectly', () => {
  const next = new Map(
    SOURCES.map((file) => [
      file,
      importsOf(file).flatMap((specifier) => targetOf(file, specifier) ?? []),
    ]),
  );
  const done = new Set<string>();
  const walk = (file: string, trail: readonly string[]): void => {
    assert.ok(!trail.includes(file), [...trail.slice(trail.indexOf(file)), file].join(' -> '));
    if (done.has(file)) return;
    for (const target of next.get(file) ?? []) walk(target, [...trail, file]);
    done.add(file);
  };
  for (const file of SOURCES) walk(file, []);
});

/** Files and packages that are loaded with a file, itself included; types alone load nothing. */
function loadedWith(file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  const source = readFileSync(path.join(root, file), 'utf8');
  const imports =
    /^(?:import|export)\s+(?!type\b)(?:[^';]*?\sfrom\s+)?'([^']+)'|\brequire\('([^']+)'\)/gm;
  for (const [, imported, required = ''] of source.matchAll(imports)) {
    const specifier = imported ?? required;
    const target = targetOf(file, specifier);
    if (target === null) loaded.add(specifier);
    else loadedWith(target, loaded);
  }
  return loaded;
}

test('nothing that report/ loads starts a program, opens a connection or drives a browser', () => {
  const loaded = new Set<string>();
  for (const file of SOURCES) {
    if (file.startsWith('report/') && !isBench(file)) loadedWith(file, loaded);
  }
  assert.ok(loaded.has('experiments/page-load/metrics.ts'), 'the search goes through other rooms');
  const forbidden = [...loaded].filter((each) =>
    /^(node:(child_process|net|http|https|http2|tls|dgram|dns)\b|puppeteer-core)/.test(each),
  );
  assert.deepEqual(forbidden, []);
});

test('no program loads development packages: only types may come from them', () => {
  const { devDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  assert.ok('typebox' in devDependencies, 'records/ has types from one');
  const loaded = new Set<string>();
  for (const file of SOURCES) loadedWith(file, loaded);
  assert.deepEqual(
    [...loaded].filter((each) => packageOf(each) in devDependencies),
    [],
  );
});
