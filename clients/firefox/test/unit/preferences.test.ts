import assert from 'node:assert/strict';
import { test } from 'node:test';
import { preferencesFor } from '../../preferences.ts';

const MAPPING = 'network.http.http3.alt-svc-mapping-for-testing';
const INPUT = {
  forcesQuic: false,
  origins: { 'www.a.test': '10.0.0.1:443', 'img.a.test': '10.0.0.2:443' },
  http2Hosts: [],
};

test('forces HTTP/3 with every host, except those without it', () => {
  const forced = preferencesFor({ ...INPUT, protocol: 'h3', http2Hosts: ['img.a.test'] });
  assert.equal(forced[MAPPING], 'www.a.test;h3=:443');
  assert.equal(forced['network.http.http3.enable'], true);
  const both = preferencesFor({ ...INPUT, protocol: 'h2+h3', forcesQuic: true });
  assert.equal(both[MAPPING], 'www.a.test;h3=:443,img.a.test;h3=:443');
});

test('a server with both versions is not forced, and may be raced', () => {
  const free = preferencesFor({ ...INPUT, protocol: 'h2+h3' });
  assert.equal(free[MAPPING], undefined);
  assert.equal(free['network.http.http3.backup_timer_delay'], undefined);
});

test('has neither QUIC over TCP, nor HTTP/2 over HTTP/1.1', () => {
  assert.equal(preferencesFor({ ...INPUT, protocol: 'h2' })['network.http.http3.enable'], false);
  const old = preferencesFor({ ...INPUT, protocol: 'http/1.1' });
  assert.equal(old['network.http.http2.enabled'], false);
});

test('limits TLS over TCP, but not QUIC, which needs TLS 1.3', () => {
  const limited = preferencesFor({ ...INPUT, protocol: 'h2', tlsMost: '1.2' });
  assert.equal(limited['security.tls.version.max'], 3);
  const quic = preferencesFor({ ...INPUT, protocol: 'h3', tlsMost: '1.2' });
  assert.equal(quic['security.tls.version.max'], undefined);
});
