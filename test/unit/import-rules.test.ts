import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const root = path.join(import.meta.dirname, '..', '..');

/**
 * Room, a folder of the first or second level, to what it may import beside itself, node:* and bun:*. A folder of the
 * first level stands for its own files, and `x/*` in a list for the own files of x; `x` lets all rooms of x be imported.
 */
const RULES: Record<string, readonly string[]> = {
  // One program, which loads each command when it is asked for.
  bin: [
    'cache',
    'experiments',
    'network',
    'options',
    'packets',
    'records',
    'report',
    'runner',
    'servers',
    'studies',
    'system',
  ],
  options: [
    'clients',
    'clients/chromium',
    'experiments',
    'records',
    'servers/*',
    'system',
    'commander',
  ],
  system: [],
  statistics: ['pure-rand'],
  records: ['statistics', 'system', 'ajv', 'typebox'],
  interference: ['records', 'system'],
  cache: ['cache', 'system'],
  'cache/exporters': ['cache/*', 'cache/importers', 'system'],
  'cache/generator': ['cache/*', 'cache/shapes', 'pure-rand'],
  'cache/importers': [
    'cache/*',
    'cache/generator',
    'cache/shapes',
    'system',
    '@xmldom/xmldom',
    'mpd-parser',
    'protobufjs',
    'tough-cookie',
    'yauzl',
  ],
  'cache/shapes': ['cache/*', 'system'],
  certs: ['system', '@peculiar/x509', 'reflect-metadata'],
  // The list of stacks; nothing else names one.
  servers: ['records', 'servers'],
  'servers/bun': ['cache', 'records', 'servers/*', 'servers/replay'],
  'servers/bun-h1': ['records', 'servers/*', 'servers/bun'],
  'servers/bun-h2': ['records', 'servers/*', 'servers/bun'],
  'servers/flask-dev': ['servers/*'],
  'servers/flask-h1': ['servers/*'],
  'servers/go': ['records', 'servers/*'],
  'servers/hypercorn': ['servers/*'],
  'servers/lsquic-h3': ['records', 'servers/*', 'servers/bun', 'servers/bun-h2'],
  'servers/replay': ['cache'],
  'servers/runtimes': [],
  'servers/sockets': ['servers/*', 'servers/bun', 'servers/lsquic-h3', 'records', 'system'],
  network: ['network/netem', 'network/userspace', 'records', 'servers/runtimes', 'system'],
  'network/calibration': ['network/*', 'records', 'statistics', 'system'],
  'network/handshakes': ['network/*', 'records'],
  'network/netem': ['network/*', 'network/handshakes', 'records'],
  'network/userspace': ['network/*', 'network/handshakes', 'records', 'system'],
  // The list of clients that make connections; what set-up brings for them is made as for servers.
  clients: [
    'clients/aioquic',
    'clients/bun',
    'clients/chromium',
    'clients/curl',
    'records',
    'servers/runtimes',
    'system',
  ],
  'clients/aioquic': ['clients/*', 'clients/python', 'records'],
  'clients/bun': ['clients/*', 'records', 'system'],
  'clients/chromium': [
    'cache',
    'clients/*',
    'interference',
    'records',
    'servers/runtimes',
    'statistics',
    'system',
    'puppeteer-core',
    'chrome-har',
  ],
  'clients/curl': ['clients/*', 'clients/python', 'records'],
  'clients/python': ['servers/runtimes'],
  // The report's kit is all that an experiment needs for sections of its own.
  experiments: [
    'cache',
    'clients/chromium',
    'experiments',
    'interference',
    'network',
    'records',
    'report/page',
    'report/text',
    'servers/*',
    'statistics',
    'system',
  ],
  'experiments/connect': [
    'clients/*',
    'clients/bun',
    'experiments/*',
    'interference',
    'records',
    'report/charts',
    'report/page',
    'report/text',
    'statistics',
    'system',
    'csv-parse',
  ],
  'experiments/example': ['experiments/*', 'records', 'pure-rand'],
  'experiments/sockets': [
    'clients/*',
    'clients/bun',
    'experiments/*',
    'interference',
    'records',
    'report/page',
    'servers/*',
    'statistics',
    'system',
  ],
  'experiments/transfer': [
    'cache',
    'clients/*',
    'experiments/*',
    'interference',
    'network',
    'records',
    'report/charts',
    'report/page',
    'report/text',
    'statistics',
    'system',
  ],
  'experiments/share': [
    'cache',
    'clients/*',
    'experiments/*',
    'interference',
    'network/*',
    'records',
    'report/charts',
    'report/page',
    'report/text',
    'statistics',
    'system',
  ],
  'experiments/video': [
    'cache',
    'clients/chromium',
    'experiments/*',
    'interference',
    'records',
    'report/charts',
    'report/page',
    'report/text',
    'statistics',
    'system',
  ],
  'experiments/page-load': [
    'cache',
    'clients/chromium',
    'experiments/*',
    'interference',
    'network',
    'records',
    'report/page',
    'report/text',
    'statistics',
    'system',
  ],
  // What becomes of a run's folder; also what only some studies have.
  report: [
    'experiments',
    'options',
    'records',
    'report',
    'statistics',
    'system',
    '@observablehq/plot',
  ],
  'report/text': ['experiments', 'records'],
  'report/page': ['report/text'],
  'report/charts': [
    'records',
    'report/page',
    'report/text',
    'statistics',
    '@observablehq/plot',
    'linkedom',
  ],
  'report/findings': [
    'experiments',
    'report/*',
    'report/page',
    'report/summary',
    'report/text',
    'system',
  ],
  'report/summary': ['experiments', 'records', 'report/text', 'servers', 'statistics', 'system'],
  'report/sections': [
    'experiments',
    'options',
    'records',
    'servers',
    'statistics',
    'system',
    'report/charts',
    'report/page',
    'report/summary',
    'report/text',
  ],
  packets: ['experiments', 'packets', 'records', 'report/text', 'system'],
  'packets/connections': ['packets/dissection', 'records', 'statistics'],
  'packets/dissection': ['system'],
  'packets/flow': [
    'packets/connections',
    'packets/dissection',
    'records',
    'report/charts',
    'report/page',
    'report/text',
    'statistics',
    '@observablehq/plot',
  ],
  'packets/qlog': ['packets/connections', 'packets/dissection', 'records'],
  'packets/windows': [
    'packets/connections',
    'packets/dissection',
    'packets/flow',
    'records',
    'report/charts',
    'report/page',
    'report/text',
    '@observablehq/plot',
  ],
  'packets/tables': [
    'packets/connections',
    'packets/dissection',
    'records',
    'report/text',
    'system',
  ],
  probe: [
    'clients/*',
    'network/handshakes',
    'options',
    'records',
    'report/charts',
    'report/page',
    'report/text',
    'statistics',
    'system',
  ],
  runner: [
    'cache',
    'certs',
    'clients',
    'clients/bun',
    'clients/chromium',
    'experiments',
    'interference',
    'network',
    'options',
    'probe',
    'records',
    'runner/campaign',
    'runner/doctor',
    'runner/live',
    'runner/own-server',
    'runner/queue',
    'servers',
    'system',
    'pure-rand',
    'statistics',
  ],
  'runner/by-hand': [
    'cache',
    'certs',
    'clients/*',
    'clients/bun',
    'clients/chromium',
    'experiments',
    'network',
    'options',
    'records',
    'report/text',
    'runner/*',
    'servers',
    'system',
    'puppeteer-core',
  ],
  'runner/campaign': [
    'clients/chromium',
    'experiments',
    'interference',
    'network',
    'records',
    'runner/*',
    'runner/queue',
    'servers',
    'system',
  ],
  'runner/doctor': [
    'cache',
    'certs',
    'clients/*',
    'clients/bun',
    'clients/chromium',
    'network',
    'options',
    'probe',
    'records',
    'runner/*',
    'servers',
    'servers/runtimes',
    'system',
    'puppeteer-core',
  ],
  'runner/live': [
    'clients/bun',
    'clients/chromium',
    'experiments',
    'network',
    'options',
    'probe',
    'records',
    'report/text',
    'runner/*',
    'runner/campaign',
    'runner/record',
    'servers',
  ],
  'runner/merge': ['experiments', 'records', 'report', 'runner/*', 'system'],
  'runner/own-server': [
    'cache',
    'certs',
    'clients/*',
    'clients/bun',
    'network',
    'records',
    'runner/*',
    'servers',
    'system',
  ],
  'runner/queue': ['records', 'runner/*', 'runner/campaign', 'system', 'bullmq', 'ioredis'],
  'runner/read': [
    'experiments',
    'interference',
    'options',
    'records',
    'report',
    'runner/*',
    'system',
  ],
  'runner/record': [
    'cache',
    'certs',
    'clients/chromium',
    'options',
    'runner/*',
    'servers',
    'system',
    'puppeteer-core',
  ],
  // Nothing but the program imports them: runner/ and report/ are handed what a study brings.
  studies: [
    'experiments',
    'records',
    'report',
    'runner/*',
    'studies/dagata',
    'studies/dresden',
    'studies/head-of-line',
    'studies/is-quic-faster',
    'studies/jaeger',
    'studies/panda',
    'studies/published-2018',
    'system',
  ],
  'studies/dagata': [
    'experiments',
    'options',
    'records',
    'report',
    'runner/*',
    'statistics',
    'studies/*',
  ],
  'studies/dresden': [
    'experiments',
    'experiments/sockets',
    'options',
    'records',
    'report',
    'runner/*',
    'statistics',
    'studies/*',
  ],
  'studies/head-of-line': ['experiments', 'options', 'records', 'report', 'runner/*', 'statistics'],
  'studies/is-quic-faster': [
    'cache/importers',
    'cache/shapes',
    'experiments',
    'options',
    'records',
    'report',
    'runner/*',
    'statistics',
    'system',
  ],
  'studies/jaeger': ['options', 'records', 'report', 'runner/*', 'studies/*'],
  'studies/panda': ['experiments', 'options', 'records', 'report', 'runner/*', 'studies/*'],
  'studies/published-2018': [
    'experiments',
    'options',
    'records',
    'report',
    'runner/*',
    'statistics',
    'studies/*',
    'system',
    '@observablehq/plot',
  ],
};

/** Files that may import what their rooms may not, with the reason. */
const EXCEPTIONS: Record<string, readonly string[]> = {
  // The command line chains measuring, reading captures and reporting.
  'runner/command.ts': ['report'],
  // Which files are to be written for what was found.
  'runner/options.ts': ['report/findings'],
  'runner/captures.ts': ['packets', 'report'],
  // A line of progress has its number as a report would.
  'runner/progress.ts': ['report/text'],
  // A look asks what the attempts so far tell.
  'runner/campaign/look.ts': ['report'],
  // How many pairs a test needs, and which stacks are compared: as the report has them.
  'runner/campaign/until-told.ts': ['report'],
  'runner/plan-notice.ts': ['report'],
};

const SOURCES = Object.keys(RULES)
  .filter((room) => !room.includes('/'))
  .concat('clients')
  .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))
  .filter((file) => !file.includes('cache/sites/') && !file.endsWith('.d.ts'));

function importsOf(file: string): string[] {
  const source = readFileSync(path.join(root, file), 'utf8');
  const found = source.matchAll(/(?:\bfrom\s+|\bimport\s+|\bimport\s*\(\s*)'([^']+)'/g);
  // Pages of the browser's own are loaded by code that runs in the browser.
  return [...found]
    .map(([, specifier]) => specifier as string)
    .filter((specifier) => !/^chrome:/.test(specifier));
}

/** The file that a relative import leads to; null: it is a package, or Node's or Bun's own. */
function targetOf(file: string, specifier: string): string | null {
  return specifier.startsWith('.')
    ? path.normalize(path.join(path.dirname(file), specifier))
    : null;
}

/** The room that a file lies in. */
function roomOf(file: string): string {
  const [first = '', second = ''] = file.split(path.sep);
  return `${first}/${second}` in RULES ? `${first}/${second}` : first;
}

function packageOf(specifier: string): string {
  return specifier.split('/', specifier[0] === '@' ? 2 : 1).join('/');
}

function mayImport(file: string, specifier: string): boolean {
  if (/^(node|bun):/.test(specifier)) return true;
  const own = roomOf(file);
  const allowed = [...(RULES[own] ?? []), ...(EXCEPTIONS[file] ?? [])];
  const target = targetOf(file, specifier);
  if (target === null) return allowed.includes(packageOf(specifier));
  const room = roomOf(target);
  return (
    room === own ||
    allowed.some((each) =>
      each.endsWith('/*')
        ? path.dirname(target) === each.slice(0, -2)
        : target.startsWith(`${each}/`),
    )
  );
}

test('every file lies in a room that has a rule', () => {
  assert.ok(SOURCES.length > 300);
  assert.deepEqual(
    SOURCES.filter((file) => !(roomOf(file) in RULES)),
    [],
  );
});

for (const room of Object.keys(RULES)) {
  test(`${room}/ imports only what the architecture lets it`, () => {
    const sources = SOURCES.filter((file) => roomOf(file) === room);
    assert.ok(sources.length > 0);
    const forbidden = sources.flatMap((file) =>
      importsOf(file)
        .filter((specifier) => !mayImport(file, specifier))
        .map((specifier) => `${file} imports ${specifier}`),
    );
    assert.deepEqual(forbidden, []);
  });
}

test('no experiment imports another one, and nothing but the list of experiments and their studies names one', () => {
  const ways = SOURCES.filter((file) => !/^(experiments|studies)\//.test(file)).flatMap((file) =>
    importsOf(file).flatMap((specifier) => targetOf(file, specifier) ?? []),
  );
  const named = ways.filter((target) => /^experiments\/(connect|example|sockets)\//.test(target));
  assert.deepEqual(named, []);
});

test('no file imports itself by way of others', () => {
  const next = new Map(
    SOURCES.map((file) => [
      file,
      importsOf(file).flatMap((specifier) => targetOf(file, specifier) ?? []),
    ]),
  );
  const done = new Set<string>();
  const walk = (file: string, way: readonly string[]): void => {
    assert.ok(!way.includes(file), [...way.slice(way.indexOf(file)), file].join(' -> '));
    if (done.has(file)) return;
    for (const target of next.get(file) ?? []) walk(target, [...way, file]);
    done.add(file);
  };
  for (const file of SOURCES) walk(file, []);
});

/** Files and packages that are loaded with a file, itself included; types alone load nothing. */
function loadedWith(file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  const source = readFileSync(path.join(root, file), 'utf8');
  const imports = /^(?:import|export)\s+(?!type\b)(?:[^';]*?\sfrom\s+)?'([^']+)'/gm;
  for (const [, specifier = ''] of source.matchAll(imports)) {
    const target = targetOf(file, specifier);
    if (target === null) loaded.add(specifier);
    else loadedWith(target, loaded);
  }
  return loaded;
}

test('nothing that report/ loads starts a program, opens a connection or drives a browser', () => {
  const loaded = new Set<string>();
  for (const file of globSync('report/**/*.ts', { cwd: root })) loadedWith(file, loaded);
  assert.ok(loaded.has('experiments/page-load/metrics.ts'), 'the search goes through other rooms');
  const forbidden = [...loaded].filter((each) =>
    /^(node:(child_process|net|http|https|http2|tls|dgram|dns)\b|puppeteer-core)/.test(each),
  );
  assert.deepEqual(forbidden, []);
});

test('packages that only development needs are loaded by no program: types alone may come from them', () => {
  const { devDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  assert.ok('typebox' in devDependencies, 'records/ has types from one');
  const loaded = new Set<string>();
  for (const file of SOURCES) loadedWith(file, loaded);
  assert.deepEqual(
    [...loaded].filter((each) => packageOf(each) in devDependencies),
    [],
  );
});
