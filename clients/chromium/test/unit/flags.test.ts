import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chromiumFlags, type FlagsInput } from '../../flags.ts';

const INPUT: FlagsInput = {
  protocol: 'h3',
  origins: { 'a.test': '127.0.1.1:4001', 'b.test:8443': '127.0.1.2:4002' },
  spkiPins: ['pinA=', 'pinB='],
  profileFolder: '/tmp/profile',
  netLogFile: null,
};

test('forces QUIC on every host of the site, with its port, for h3', () => {
  const flags = chromiumFlags(INPUT);
  assert.ok(flags.includes('--enable-quic'));
  assert.ok(flags.includes('--origin-to-force-quic-on=a.test:443,b.test:8443'));
  assert.ok(!flags.includes('--disable-quic'));
});

test('names the version of QUIC only if it is not the usual one', () => {
  const named = (input: FlagsInput) =>
    chromiumFlags(input).filter((flag) => flag.startsWith('--quic-version'));
  assert.deepEqual(named(INPUT), []);
  assert.deepEqual(named({ ...INPUT, quicVersion: 2 }), ['--quic-version=RFCv2']);
});

test('h3 neither forces nor allows QUIC on hosts that use HTTP/2', () => {
  const flags = chromiumFlags({ ...INPUT, http2Hosts: ['b.test:8443'] });
  assert.ok(flags.includes('--enable-quic'));
  assert.ok(flags.includes('--origin-to-force-quic-on=a.test:443'));
  assert.ok(flags.includes('--force-fieldtrial-params=QUIC.Enabled:host_whitelist/a%2Etest'));
  const rules = flags.find((flag) => flag.startsWith('--host-resolver-rules='));
  assert.match(rules ?? '', /MAP a\.test:443 .*MAP b\.test:8443 /);
  assert.ok(!chromiumFlags(INPUT).some((flag) => flag.startsWith('--force-fieldtrial')));
});

test('never uses QUIC for the other protocols, nor HTTP/2 for http/1.1', () => {
  for (const protocol of ['h2', 'http/1.1', 'http/1.0'] as const) {
    const flags = chromiumFlags({ ...INPUT, protocol });
    assert.ok(flags.includes('--disable-quic'));
    assert.ok(!flags.some((flag) => flag.startsWith('--origin-to-force-quic-on')));
    assert.equal(flags.includes('--disable-http2'), protocol !== 'h2');
  }
});

test('maps the hosts of the site to its servers, and every other host nowhere', () => {
  assert.ok(
    chromiumFlags(INPUT).includes(
      '--host-resolver-rules=MAP a.test:443 127.0.1.1:4001, MAP b.test:8443 127.0.1.2:4002, MAP * ~NOTFOUND',
    ),
  );
});

test('accepts certificates only by the pins of their keys', () => {
  const flags = chromiumFlags(INPUT);
  assert.ok(flags.includes('--ignore-certificate-errors-spki-list=pinA=,pinB='));
  assert.ok(!flags.includes('--ignore-certificate-errors'));
});

test('writes a NetLog only on request', () => {
  const logs = (netLogFile: string | null) =>
    chromiumFlags({ ...INPUT, netLogFile }).filter((flag) => flag.startsWith('--log-net-log'));
  assert.deepEqual(logs(null), []);
  assert.deepEqual(logs('/tmp/log.json'), ['--log-net-log=/tmp/log.json']);
});

test('limits TLS only on request', () => {
  const limits = (tlsMost?: '1.2' | '1.3') =>
    chromiumFlags({ ...INPUT, protocol: 'h2', tlsMost }).filter((flag) => /ssl|tls/i.test(flag));
  assert.deepEqual(limits(), []);
  assert.deepEqual(limits('1.3'), []);
  assert.deepEqual(limits('1.2'), ['--ssl-version-max=tls1.2']);
});

const BOTH: FlagsInput = {
  ...INPUT,
  protocol: 'h2+h3',
  origins: { 'a.test': '10.89.1.2:443', 'b.test': '10.89.1.3:443' },
};

test('names the requested hosts with both versions, and maps every other host nowhere', () => {
  const rules = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE a.test, EXCLUDE b.test';
  assert.ok(chromiumFlags(BOTH).includes(rules));
  assert.ok(chromiumFlags({ ...BOTH, forcesQuic: true }).includes(rules));
});

test('forces QUIC on hosts with both versions only on request', () => {
  const forced = (forcesQuic?: boolean) =>
    chromiumFlags({ ...BOTH, forcesQuic }).filter((flag) => flag.includes('force-quic'));
  // An unused port: nothing is forced, and pins decide about certificates.
  assert.deepEqual(forced(), ['--origin-to-force-quic-on=a.test:1,b.test:1']);
  assert.deepEqual(forced(true), ['--origin-to-force-quic-on=a.test:443,b.test:443']);
});

test('opens a window with the page for a person, with the flags of measured loads', () => {
  const url = 'https://a.test/';
  const measured = chromiumFlags(INPUT);
  const seen = chromiumFlags({ ...INPUT, hasWindow: true, url });
  assert.deepEqual(
    measured.filter((flag) => !seen.includes(flag)),
    ['--headless', 'about:blank'],
  );
  assert.deepEqual(
    seen.filter((flag) => !measured.includes(flag)),
    ['--test-type', '--hide-crash-restore-bubble', url],
  );
});
