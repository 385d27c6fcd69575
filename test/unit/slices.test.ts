import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { isIn, KINDS, type Slice, slicesOf } from '../amputation/kinds.ts';
import { idsOf, type Mention, mentionsOf, sourcesOf } from '../amputation/mentions.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { root } from './shipped-files.ts';

/**
 * Names of slices that are common words of the field: for these slices, only imports and paths are
 * checked.
 */
const WORDS_OF_THE_FIELD: Readonly<Record<string, string>> = {
  aioquic: 'a package of Python',
  caddy: 'a program for other servers',
  curl: 'a program of the system',
  dash: 'a format of ffmpeg, and of the sites of videos',
  envoy: 'a program for other servers',
  files: 'any list of files, and an export for file servers',
  har: 'a file of a load, and its ending',
  jaeger: 'a form of published tables',
  nginx: 'a program for other servers, and the value of a header',
  warc: 'a format that is imported and exported',
  wget: 'a layout that is imported and exported',
};

/** Files in which the name of a slice is a word with another meaning. */
const OTHER_MEANINGS: readonly { file: string; id: string; reason: string }[] = [
  ...[
    'cache/importers/har/importer.ts',
    'report/sections/har-file.ts',
    'report/sections/waterfall-load.ts',
    'test/unit/report/sections/waterfall-load.test.ts',
    'test/unit/report/sections/waterfall.test.ts',
  ].map((file) => ({ file, id: 'connect', reason: 'a phase of a request in a HAR' })),
  ...['experiments/page-load/metrics.ts', 'experiments/transfer/metrics.ts'].map((file) => ({
    file,
    id: 'connect',
    reason: 'a metric by this word',
  })),
  { file: 'test/long/abuse/wire.ts', id: 'connect', reason: 'an event of a socket' },
  ...['experiments/sockets/experiment.ts', 'report/sections/stack-why.ts'].map((file) => ({
    file,
    id: 'transfer',
    reason: 'a metric by this word',
  })),
  { file: 'clients/har/phases.ts', id: 'transfer', reason: 'a phase of a request' },
  { file: 'cache/dash/presentation.ts', id: 'video', reason: 'a kind of media' },
  { file: 'cache/manifest.ts', id: 'video', reason: 'a kind of site' },
  { file: 'cache/site-lines.ts', id: 'video', reason: 'a kind of media' },
  ...['cache/videos.ts', 'ground/system/temporary-folder.ts'].map((file) => ({
    file,
    id: 'video',
    reason: 'what a temporary folder is for',
  })),
  {
    file: 'cache/importers/dash/test/unit/importer.test.ts',
    id: 'video',
    reason: 'a kind of site',
  },
  {
    file: 'experiments/video/test/unit/panda.test.ts',
    id: 'connect',
    reason: 'a column of published tables',
  },
  {
    file: 'tools/probe/test/e2e/probe-internet.test.ts',
    id: 'connect',
    reason: 'the command of which a probe is part',
  },
];

const SLICES = slicesOf(root);
const SOURCES = sourcesOf(root);
// The list above names them.
SOURCES.delete('test/unit/slices.test.ts');
const MENTIONS = (
  await Promise.all(
    SLICES.filter(({ kind, name }) => !kind.kept.includes(name)).map(async (slice) =>
      mentionsOf(slice, await idsOf(root, slice), SOURCES),
    ),
  )
)
  .flat()
  .filter(
    (mention) => !isBuiltOn(mention) && !(mention.id !== null && mention.id in WORDS_OF_THE_FIELD),
  );

for (const { kind } of KINDS) {
  test(`no file outside a slice imports from it or names it: ${kind}`, () => {
    const offenders = MENTIONS.filter(({ slice }) => slice.kind.kind === kind)
      .filter((mention) => !OTHER_MEANINGS.some((exempt) => isExempt(exempt, mention)))
      .map(({ slice, file, line, what }) => `${slice.name}: ${file}:${line} ${what}`);
    assert.deepEqual(
      offenders,
      [],
      'give the slice another name, or add a reason to OTHER_MEANINGS',
    );
  });
}

test('every other meaning of a name is still needed', () => {
  assert.deepEqual(
    OTHER_MEANINGS.filter(
      ({ file, id }) => SOURCES.has(file) && SLICES.some(({ name }) => name === id),
    ).filter((exempt) => !MENTIONS.some((mention) => isExempt(exempt, mention))),
    [],
  );
});

test('every slice that can be removed has its line in an index', () => {
  assert.ok(SLICES.length > 0);
  assert.deepEqual(
    SLICES.filter(
      ({ kind, name, indices }) => indices.length === 0 && !kind.kept.includes(name),
    ).map(({ folder }) => folder),
    [],
  );
});

test('finds imports, names and paths in code, not in comments, nor as events', (t) => {
  const [, , client] = KINDS;
  assert.ok(client);
  const slice: Slice = {
    kind: client,
    name: 'it',
    folder: 'clients/it',
    indices: ['clients/index.ts'],
  };
  const source = [
    "import { it } from '../clients/it/client.ts';",
    "const name = 'it'; // 'it'",
    "socket.once('it', () => {});",
    'const file = "clients/it/program.py";',
    "const other = 'item';",
  ].join('\n');
  const project = temporaryFolder(t);
  for (const file of ['test/a.ts', 'clients/index.ts', 'clients/it/client.ts']) {
    mkdirSync(path.join(project, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(project, file), source);
  }
  assert.deepEqual(
    mentionsOf(slice, ['it'], sourcesOf(project)).map(({ file, line, id }) => [file, line, id]),
    [
      ['test/a.ts', 2, 'it'],
      ['test/a.ts', 1, null],
      ['test/a.ts', 4, null],
    ],
  );
});

/** Whether a slice mentions another one that it may use, as a study does an experiment. */
function isBuiltOn({ slice, file }: Mention): boolean {
  const own = SLICES.find((each) => isIn(each, file));
  return own?.kind.buildsOn?.includes(slice.kind.kind) ?? false;
}

function isExempt({ file, id }: { file: string; id: string }, mention: Mention): boolean {
  return mention.file === file && mention.id === id;
}
