import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOfHost } from '../../../../runner/network/loopback.ts';

test('every host of a site has a loopback address of its own', () => {
  const addresses = Array.from({ length: 1000 }, (_, index) => addressOfHost(index));
  assert.equal(new Set(addresses).size, 1000);
  assert.equal(addresses[0], '127.0.1.1');
  assert.equal(addresses[250], '127.0.2.1');
  for (const address of addresses) {
    const parts = address.split('.').map(Number);
    assert.ok(parts[0] === 127 && parts.every((part) => part >= 0 && part <= 254), address);
  }
});
