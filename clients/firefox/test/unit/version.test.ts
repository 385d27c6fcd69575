import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firefoxVersion, isOldVersion } from '../../version.ts';

test('reads the version of every channel, and no other program', () => {
  for (const [says, version] of [
    ['Mozilla Firefox 153.8.0esr\n', '153.8.0esr'],
    ['Mozilla Firefox 160.0a1', '160.0a1'],
    ['*** a warning\nMozilla Firefox 159.0b3', '159.0b3'],
    ['Chromium 156.0.8078.108', null],
    ['geckodriver 0.36.0', null],
    ['', null],
  ] as const) {
    assert.equal(firefoxVersion(says), version);
  }
  assert.ok(isOldVersion('137.0.2'));
  assert.ok(isOldVersion('99.0'));
  assert.ok(!isOldVersion('138.0'));
});
