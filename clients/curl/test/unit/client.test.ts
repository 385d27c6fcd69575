import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyWindowsAreFixed } from '../../../transfer-windows.ts';
import { curl } from '../../client.ts';

test('has configurable windows by HTTP/2, and not by QUIC', () => {
  assert.equal(whyWindowsAreFixed(curl.name, 'h2'), null);
  assert.match(whyWindowsAreFixed(curl.name, 'h3') ?? '', /QUIC windows/);
});
