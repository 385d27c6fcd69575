import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const root = path.join(import.meta.dirname, '..', '..');

/**
 * Folder to what it may import beside itself and node:*, as folders, files or packages. The rule of the innermost folder holds;
 * `files` names the few exceptions.
 */
const RULES: Record<string, { allowed: string[]; files?: Record<string, string[]> }> = {
  cache: { allowed: ['pure-rand', 'warcio', 'yauzl', 'protobufjs'] },
  certs: { allowed: ['@peculiar/x509', 'reflect-metadata'] },
  clients: {
    allowed: [
      ...['cache', 'interference', 'network', 'records', 'statistics', 'system'],
      ...['puppeteer-core', 'chrome-har'],
    ],
  },
  experiments: { allowed: ['cache', 'network', 'records'] },
  // No experiment knows another one.
  'experiments/page-load': {
    allowed: [
      ...['experiments/experiment.ts', 'experiments/measuring.ts'],
      ...['cache', 'clients', 'interference', 'records', 'system'],
    ],
  },
  interference: { allowed: ['records'] },
  network: { allowed: ['records', 'system'] },
  records: { allowed: ['statistics', 'ajv', 'typebox'] },
  report: {
    allowed: [
      ...['clients/chromium/records.ts', 'experiments', 'records', 'statistics', 'system'],
      ...['@observablehq/plot', 'linkedom'],
    ],
  },
  runner: {
    allowed: [
      ...['cache', 'certs', 'clients', 'experiments', 'interference', 'network'],
      ...['records', 'system', 'puppeteer-core', 'pure-rand', 'bullmq', 'ioredis'],
    ],
    // The command line chains measuring and reporting; a look asks what the loads so far tell.
    files: { 'runner/main.ts': ['report'], 'runner/campaign/look.ts': ['report'] },
  },
  // It joins what was measured, and measures nothing.
  'runner/merge': { allowed: ['experiments', 'records', 'report', 'system'] },
  servers: { allowed: ['cache'] },
  statistics: { allowed: ['pure-rand'] },
  system: { allowed: [] },
};

function importsOf(file: string): string[] {
  const source = readFileSync(path.join(root, file), 'utf8');
  const found = source.matchAll(/(?:\bfrom\s+|\bimport\s+|\bimport\s*\(\s*)'([^']+)'/g);
  return [...found].map(([, specifier]) => specifier as string);
}

/** Pages of the browser's own, loaded by code that runs in the browser. */
const IN_BROWSER = /^chrome:/;

/** What is imported: `node` for all of the runtime's own, a package by its name, else the file below the root. */
function targetOf(file: string, specifier: string): string {
  if (/^(node|bun):/.test(specifier)) return 'node';
  if (!specifier.startsWith('.'))
    return specifier.split('/', specifier[0] === '@' ? 2 : 1).join('/');
  return path.normalize(path.join(path.dirname(file), specifier));
}

const isIn = (target: string, place: string) => target === place || target.startsWith(`${place}/`);

/** The innermost folder with a rule that a file is in. */
function ruledFolderOf(file: string): string | undefined {
  const around = Object.keys(RULES).filter((folder) => isIn(file, folder));
  return around.toSorted((a, b) => b.length - a.length)[0];
}

for (const [folder, { allowed, files = {} }] of Object.entries(RULES)) {
  test(`${folder}/ imports only what the architecture lets it`, () => {
    const sources = globSync(`${folder}/**/*.ts`, { cwd: root }).filter(
      (file) => !file.includes('cache/sites/') && ruledFolderOf(file) === folder,
    );
    assert.ok(sources.length > 0);
    for (const file of sources) {
      const places = ['node', folder, ...allowed, ...(files[file] ?? [])];
      for (const specifier of importsOf(file).filter((each) => !IN_BROWSER.test(each))) {
        const target = targetOf(file, specifier);
        const isFine = places.some((place) => isIn(target, place));
        assert.ok(isFine, `${file} imports ${specifier}`);
      }
    }
  });
}

/** Files and packages that are loaded with a file, itself included; types alone load nothing. */
function loadedWith(file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  const source = readFileSync(path.join(root, file), 'utf8');
  for (const [, specifier = ''] of source.matchAll(
    /^(?:import|export)\s+(?!type\b)(?:[^';]*?\sfrom\s+)?'([^']+)'/gm,
  )) {
    if (specifier.startsWith('.')) loadedWith(targetOf(file, specifier), loaded);
    else loaded.add(specifier);
  }
  return loaded;
}

test('nothing that report/ loads starts a program, opens a connection or drives a browser', () => {
  const loaded = new Set<string>();
  for (const file of globSync('report/**/*.ts', { cwd: root })) loadedWith(file, loaded);
  assert.ok(
    loaded.has('experiments/page-load/metrics.ts'),
    'the search goes through other folders',
  );
  const forbidden = [...loaded].filter((each) =>
    /^(node:(child_process|net|http|https|http2|tls|dgram|dns)\b|puppeteer-core)/.test(each),
  );
  assert.deepEqual(forbidden, []);
});
