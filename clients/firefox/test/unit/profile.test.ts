import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lackOfRoom } from '../../profile.ts';

test('a disk without room for a profile is named, with what it needs and has', () => {
  assert.equal(lackOfRoom('/tmp', 50_000_000), null);
  assert.match(lackOfRoom('/tmp', 3_000_000) ?? '', /needs 32 MB in \/tmp, which has 3 MB left/);
});
