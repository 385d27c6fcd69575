import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cipherName } from '../../../../network/handshakes/connection-record.ts';

test('names suites of TLS 1.3 and 1.2 by their cipher', () => {
  assert.equal(cipherName(0x1302), 'AES_256_GCM');
  assert.equal(cipherName(0xcca9), 'CHACHA20_POLY1305');
  assert.equal(cipherName(0xc013), 'AES_128_CBC');
});

test('names an unknown suite by its number', () => {
  assert.equal(cipherName(0x1399), 'suite 0x1399');
});
