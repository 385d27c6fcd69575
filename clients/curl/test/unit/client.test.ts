import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyWindowsAreFixed } from '../../../transfer-windows.ts';
import { curl } from '../../client.ts';

test("libcurl's windows can be chosen by HTTP/2, and by QUIC they cannot", () => {
  assert.equal(whyWindowsAreFixed(curl.name, 'h2'), null);
  assert.match(whyWindowsAreFixed(curl.name, 'h3') ?? '', /QUIC windows/);
});
