import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { traces } from '../../../../ground/options/traces.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

/** A packet each ms. */
const EVEN = Array.from({ length: 100 }, (_, ms) => `${ms + 1}\n`).join('');

test('reads a file with its name, its digest, its mean and its duration', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(path.join(folder, 'LTE (drive).down'), EVEN);
  const [trace] = traces('trace', path.join(folder, 'LTE (drive).down'));
  assert.deepEqual(trace, {
    name: 'LTE--drive-.down',
    sha256: createHash('sha256').update(EVEN).digest('hex'),
    meanKbps: 12_112,
    durationMs: 100,
    bytes: Buffer.from(EVEN),
  });
});

test('rejects a file that is no recorded link with its name, the problem, and the expected format', (t) => {
  const folder = temporaryFolder(t);
  const file = (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const huge = file('huge', '');
  // A sparse one: it is rejected before it is read.
  truncateSync(huge, 2 ** 30);
  for (const [given, complaint] of [
    [path.join(folder, 'missing'), /missing: it cannot be read: no such file or directory\.$/],
    [folder, /: it cannot be read: it is no plain file\.$/],
    ['/dev/zero', /^--trace \/dev\/zero: it cannot be read: it is no plain file\.$/],
    [huge, /huge: it cannot be read: it has 1\.1 GB, and at most 16\.8 MB are read\.$/],
    [file('words', '1\nfast\n'), /words: line 2 is "fast"; expected a whole number of ms from 0 /],
    [file('slow', '10000\n'), /slow: it lets 1\.21 kbit\/s through on average; expected 64 to /],
    [file('a', EVEN).concat(',', file('a', EVEN)), /two files are named a\./],
  ] as const) {
    assert.throws(() => traces('trace', given), { name: 'UsageError', message: complaint }, given);
  }
});

test('rejects two files with the same name in any folders', (t) => {
  const folder = temporaryFolder(t);
  for (const place of ['a', 'b']) {
    mkdirSync(path.join(folder, place));
    writeFileSync(path.join(folder, place, 'link'), EVEN);
  }
  const given = `${folder}/a/link,${folder}/b/link`;
  assert.throws(() => traces('trace', given), { message: /two files are named link\. .*rename/ });
});

test('skips a byte order mark', (t) => {
  const folder = temporaryFolder(t);
  const utf16 = Buffer.from(`\ufeff${EVEN}`, 'utf16le');
  for (const content of [`\ufeff${EVEN}`, utf16, Buffer.from(utf16).swap16()]) {
    writeFileSync(path.join(folder, 'link'), content);
    const [trace] = traces('trace', path.join(folder, 'link'));
    assert.deepEqual(trace?.bytes, Buffer.from(EVEN));
  }
});
