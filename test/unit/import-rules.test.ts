import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const root = path.join(import.meta.dirname, '..', '..');

/** Folder to what it may import beside itself and node:*; `files` names the few exceptions. */
const RULES: Record<string, { allowed: string[]; files?: Record<string, string[]> }> = {
  cache: { allowed: ['pure-rand', 'warcio', 'yauzl', 'protobufjs'] },
  certs: { allowed: ['@peculiar/x509', 'reflect-metadata'] },
  clients: {
    allowed: [
      ...['cache', 'interference', 'network', 'records', 'system'],
      ...['puppeteer-core', 'chrome-har'],
    ],
  },
  experiments: { allowed: ['cache', 'clients', 'interference', 'network', 'records', 'system'] },
  interference: { allowed: ['records'] },
  network: { allowed: ['records', 'system'] },
  records: { allowed: ['ajv'] },
  report: {
    allowed: ['records', 'statistics', 'system', '@observablehq/plot', 'linkedom', 'pure-rand'],
  },
  runner: {
    allowed: [
      ...[
        'cache',
        'certs',
        'clients',
        'experiments',
        'interference',
        'network',
        'records',
        'system',
      ],
      ...['puppeteer-core', 'pure-rand', 'bullmq', 'ioredis'],
    ],
    // The command line chains measuring and reporting; a look asks what the loads so far tell.
    files: {
      'runner/main.ts': ['report'],
      'runner/campaign/look.ts': ['report'],
      'runner/merge/main.ts': ['report'],
      'runner/merge/merge.ts': ['report'],
    },
  },
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

/** `node:fs`, `bun:ffi` and files of the same folder are nobody's business. */
function placeOf(file: string, specifier: string): string {
  if (/^(node|bun):/.test(specifier)) return 'node';
  if (!specifier.startsWith('.'))
    return specifier.split('/', specifier[0] === '@' ? 2 : 1).join('/');
  const target = path.normalize(path.join(path.dirname(file), specifier));
  return target.split(path.sep)[0] as string;
}

for (const [folder, { allowed, files = {} }] of Object.entries(RULES)) {
  test(`${folder}/ imports only what the architecture lets it`, () => {
    const sources = globSync(`${folder}/**/*.ts`, { cwd: root }).filter(
      (file) => !file.includes('cache/sites/'),
    );
    assert.ok(sources.length > 0);
    for (const file of sources) {
      for (const specifier of importsOf(file).filter((each) => !IN_BROWSER.test(each))) {
        const place = placeOf(file, specifier);
        const fine = ['node', folder, ...allowed, ...(files[file] ?? [])].includes(place);
        assert.ok(fine, `${file} imports ${specifier}`);
      }
    }
  });
}

test('nothing in report/ starts a program, opens a connection or drives a browser', () => {
  for (const file of globSync('report/**/*.ts', { cwd: root })) {
    const forbidden = importsOf(file).filter((specifier) =>
      /^node:(child_process|net|http|https|http2|tls|dgram|dns)/.test(specifier),
    );
    assert.deepEqual(forbidden, [], file);
  }
});
