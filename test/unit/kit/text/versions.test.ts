import assert from 'node:assert/strict';
import { test } from 'node:test';
import { versionTexts } from '../../../../kit/text/versions.ts';

const COMMIT = '1a2b3c4d5e'.repeat(4);

test('adds the commit to the version of this project alone, unknown in older runs', () => {
  const versions = { 'quic-vs-https': '0.2.0', node: '24.21.0' };
  for (const [revision, text] of [
    [{ commit: COMMIT, dirty: false }, '0.2.0 (commit 1a2b3c4d5e1a)'],
    [{ commit: COMMIT, dirty: true }, '0.2.0 (commit 1a2b3c4d5e1a, with local changes)'],
    [{ commit: null, dirty: null }, '0.2.0 (commit unknown)'],
    [undefined, '0.2.0 (commit unknown)'],
  ] as const) {
    assert.deepEqual(versionTexts({ versions, revision }), { ...versions, 'quic-vs-https': text });
  }
});

test('adds no version to a run that names no programs', () => {
  assert.deepEqual(versionTexts({ versions: {} }), {});
});
