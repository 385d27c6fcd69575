import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quicHostOf, quicHostText } from '../../../../ground/records/quic-host.ts';

test('names hosts with their ports, as Chromium requires', () => {
  assert.equal(quicHostOf('https://www.example.org/a?b'), 'www.example.org:443');
  assert.equal(quicHostOf('https://www.example.org:8443/'), 'www.example.org:8443');
  assert.equal(quicHostOf('https://[::1]/'), '[::1]:443');
  assert.equal(quicHostText('www.example.org:443'), 'www.example.org');
  assert.equal(quicHostText('[::1]:8443'), '[::1]:8443');
});
