import assert from 'node:assert/strict';
import { mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { patternOf } from '../../../cache/exporters/servers/apache.ts';
import { withoutPlaceholders } from '../../../cache/exporters/servers/caddy.ts';
import { quoted, Texts } from '../../../cache/exporters/servers/nginx.ts';
import { writeSite } from '../../../cache/manifest.ts';
import { siteOfRecording } from '../../../cache/site-of-recording.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { runExport } from './command-output.ts';
import { EXAMPLE_DOCUMENT, exampleExchange, exampleRecording } from './example-recording.ts';

/** Reads a word of nginx as nginx does: quotes, and backslashes before quotes and backslashes. */
function readWord(word: string): string {
  const [, inner] = /^"(.*)"$/s.exec(word) ?? [];
  assert.ok(inner !== undefined && !/(?<!\\)(\\\\)*"/.test(inner), `not one word: ${word}`);
  return inner.replace(/\\(["\\])/g, '$1');
}

const ODD = ['plain', 'a "quoted" \\ back\\\\slash\\', '{braces} \\{ \\" ;#', "it's"];

test('nginx reads back the texts that words hold', () => {
  for (const text of ODD) {
    assert.equal(readWord(quoted(text)), text);
    assert.equal(readWord(new Texts().word(text)), text);
  }
});

test('what has a dollar or is too long for a word of nginx comes from variables that hold it as it is', () => {
  for (const text of ['$host', `a\${b}c`, '"$"', 'x'.repeat(9000), `${'"'.repeat(9000)}$`]) {
    const texts = new Texts();
    const word = texts.word(text);
    const values = new Map(
      texts.lines.map((line) => {
        const [, name = '', value = ''] = /^geo \$(\w+) \{ default (".*"); \}$/s.exec(line) ?? [];
        assert.ok(value.length < 4096);
        return [name, readWord(value)];
      }),
    );
    assert.equal(
      readWord(word).replace(/\$\{(\w+)\}/g, (_, name) => values.get(name) ?? '?'),
      text,
    );
  }
});

test('variables of several texts have names of their own', () => {
  const texts = new Texts();
  assert.notEqual(texts.word('$a'), texts.word('$b'));
  assert.equal(texts.lines.length, 2);
});

test('Caddy finds no placeholder in what was recorded', () => {
  assert.equal(withoutPlaceholders('{http.request.host}'), '\\{http.request.host\\}');
  assert.equal(withoutPlaceholders('a } \\ b'), 'a } \\ b');
  assert.equal(withoutPlaceholders('{'), '\\{');
});

test('a pattern of Apache matches its URL alone, and holds nothing that the configuration looks up', () => {
  for (const url of [`GET:a.test/x?y=\${z}%{HOST}&a.b*c`, 'GET:a.test/a|b(c)[d]^$']) {
    const pattern = patternOf(url);
    assert.match(url, new RegExp(pattern));
    assert.doesNotMatch(url.replace('.', 'x'), new RegExp(pattern));
    assert.doesNotMatch(pattern, /[$%]\{/);
  }
});

/** What can be told none of the servers, or not all of them. */
const HARD = [
  EXAMPLE_DOCUMENT,
  exampleExchange(`https://www.a.test/?${'long'.repeat(2500)}`, { body: 'long URL' }),
  exampleExchange('https://www.a.test/empty', { headers: [['x-empty', '']], body: 'x' }),
  exampleExchange('https://www.a.test/long', {
    headers: [['x-long', 'y'.repeat(9000)]],
    body: 'x',
  }),
];

test('an export says in its README and aloud what the server cannot do, and leaves only that out', async (t) => {
  const sites = path.join(temporaryFolder(t), 'sites');
  await mkdir(sites);
  const { manifest, bodies } = siteOfRecording(exampleRecording([], { exchanges: HARD }), {
    file: 'x',
  });
  await writeSite(path.join(sites, 'hard'), { ...manifest, site: 'hard' }, bodies);
  const longUrl = (server: string) =>
    new RegExp(`GET https://www\\.a\\.test/\\?long.*: left out, ${server} reads no`);
  for (const [format, told] of [
    ['nginx', [longUrl('nginx'), /GET .*\/empty: nginx sends no empty header: x-empty/]],
    ['apache', [longUrl('Apache'), /GET .*\/long: header left out.*: x-long/]],
    ['caddy', [/Conditional requests/]],
  ] as const) {
    const out = path.join(sites, '..', format);
    const exported = await runExport(sites, 'hard', '--to', format, '--out', out);
    assert.equal(exported.status, 0, exported.errors);
    const start = path.join(out, 'start.sh');
    assert.match(exported.out, new RegExp(`--sites hard --server ${start} --stacks own-`));
    const readme = await readFile(path.join(out, 'README.md'), 'utf8');
    const notes = exported.lines.filter((line) => line.startsWith('  note: '));
    for (const part of told) assert.match(exported.out, part);
    for (const note of notes) assert.ok(readme.includes(`- ${note.slice(8)}\n`), note);
    assert.equal((await stat(start)).mode & 0o777, 0o755);
    assert.equal(
      await readFile(path.join(out, 'index.json'), 'utf8'),
      await readFile(path.join(sites, 'hard', 'index.json'), 'utf8'),
    );
  }
});
