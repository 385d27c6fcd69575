import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from './shipped-files.ts';

const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** Versions and dates of the releases, the newest first. */
const RELEASES = [...textOf('CHANGELOG.md').matchAll(/^## (?!Unreleased$)(.*)$/gm)].map(
  ([, heading = '']) => heading.split(' - '),
);

test('each release in CHANGELOG.md has a version and a date, the newest first', () => {
  for (const [version = '', date = '', ...more] of RELEASES) {
    assert.match(version, /^\d+\.\d+\.\d+$/);
    assert.match(date, /^\d{4}-\d{2}-\d{2}$/);
    assert.deepEqual(more, []);
  }
  const dates = RELEASES.map(([, date = '']) => date);
  assert.deepEqual(dates, dates.toSorted().reverse());
});

test('package.json, its lock file, CITATION.cff and the newest release agree', () => {
  const [newest = []] = RELEASES;
  const citation = textOf('CITATION.cff');
  const cited = (field: string) => new RegExp(`^${field}: (.+)$`, 'm').exec(citation)?.[1];
  const { version, license, author } = JSON.parse(textOf('package.json'));
  assert.deepEqual([cited('version'), cited('date-released')], newest);
  assert.deepEqual([version, license], [cited('version'), cited('license')]);
  const locked = JSON.parse(textOf('package-lock.json'));
  assert.deepEqual([locked.version, locked.packages[''].version], [version, version]);
  assert.ok(citation.includes(`- name: ${author}\n`));
  assert.ok(textOf('LICENSE').includes(author));
});
