import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { type Hosts, type Internet, withInternet } from '../internet/internet.ts';
import { askByQuic, askByTls, sendDatagrams } from '../internet/witness/witness.ts';

const HOSTS = {
  'web.test': { kind: 'web', httpsRecord: ['h3', 'h2'] },
  'tls1.2-only.test': 'tls1.2-only',
  'tls-only.test': 'tls-only',
  'h3-only.test': 'h3-only',
  'retry.test': 'retry',
  'other-version.test': 'other-version',
  'expired.test': 'expired',
  'wrong-name.test': 'wrong-name',
  'self-signed.test': 'self-signed',
  'unknown-authority.test': 'unknown-authority',
  'long-chain.test': 'long-chain',
  'alert.test': 'alert',
  'resets.test': 'resets',
  'silent.test': 'silent',
  'refuses.test': 'refuses',
  'drops-udp.test': 'drops-udp',
  'drops.test': 'drops',
  'dead.test': 'dead',
  'no-name.test': 'no-name',
  'name-fails.test': 'name-fails',
  'name-silent.test': 'name-silent',
  'v4-only.test': { kind: 'web', families: [4] },
  'v6-only.test': { kind: 'web', families: [6], altSvc: null },
} as const satisfies Hosts;

type Name = keyof typeof HOSTS;

/** Each of these hosts at each of its addresses. */
function ends(internet: Internet, names: readonly string[]) {
  return names.flatMap((host) => internet.addressesOf(host).map((address) => ({ host, address })));
}

/** What came of each, by host; both addresses have to have told the same. */
function byHost<Told>(asked: readonly { host: string }[], told: readonly Told[]) {
  const found: Record<string, Told> = {};
  for (const [index, { host }] of asked.entries()) {
    if (host in found) assert.deepEqual(told[index], found[host], `${host} by IPv4 and IPv6`);
    found[host] = told[index] as Told;
  }
  return found;
}

test('a test has an internet in which every kind of host does what its name says', async (t) => {
  await withInternet({ hosts: HOSTS }, async (internet) => {
    const names = Object.keys(HOSTS) as Name[];

    await t.test(
      'hosts answer, refuse, reset and say nothing over TCP, by both families',
      async () => {
        const asked = ends(internet, names);
        const told = await askByTls(internet, asked);
        const found = byHost(
          asked,
          told.map(({ error }) => error),
        );
        assert.deepEqual(found, {
          'web.test': null,
          'tls1.2-only.test': null,
          'tls-only.test': null,
          'h3-only.test': 'ECONNREFUSED',
          'retry.test': null,
          'other-version.test': null,
          'expired.test': 'CERT_HAS_EXPIRED',
          'wrong-name.test': 'ERR_TLS_CERT_ALTNAME_INVALID',
          'self-signed.test': 'DEPTH_ZERO_SELF_SIGNED_CERT',
          'unknown-authority.test': 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
          'long-chain.test': null,
          'alert.test': 'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE',
          'resets.test': 'ECONNRESET',
          'silent.test': 'silence',
          'refuses.test': 'ECONNREFUSED',
          'drops-udp.test': null,
          'drops.test': 'no-answer',
          'dead.test': 'EHOSTUNREACH',
          'v4-only.test': null,
          'v6-only.test': null,
        });
      },
    );
  });
});
