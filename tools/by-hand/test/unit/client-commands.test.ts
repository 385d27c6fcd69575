import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Protocol } from '../../../../ground/records/protocol.ts';
import type { Server } from '../../../../runner/servers.ts';
import { curlLines, getLines, type ReachableSite } from '../../serve.ts';

const ENTER = ['nsenter', '--net=/proc/7/ns/net', '--'];

function reached(protocol: Protocol, parts: Partial<ReachableSite> = {}): ReachableSite {
  return {
    server: {
      stack: { stack: 'any', protocol },
      origins: { 'a.test': '10.89.1.1:4433', 'b.test:8443': '10.89.1.2:4434' },
      spkiPins: ['pinA=', 'pinB='],
    } as unknown as Server,
    authorityFile: '/tmp/keys/ca.pem',
    enter: ENTER,
    page: { url: 'https://a.test/', contentEncoding: null },
    ...parts,
  };
}

test("runs curl at the client's end, by the server's protocol, with the certificate checked", () => {
  const line = (option: string) =>
    `nsenter --net=/proc/7/ns/net -- curl ${option} --cacert /tmp/keys/ca.pem --connect-to a.test:443:10.89.1.1:4433 https://a.test/`;
  assert.deepEqual(curlLines(reached('h3')), [line('--http3-only')]);
  assert.deepEqual(curlLines(reached('h2')), [line('--http2')]);
  assert.deepEqual(curlLines(reached('http/1.1')), [line('--http1.1')]);
  assert.deepEqual(curlLines(reached('http/1.0')), [line('--http1.1')]);
  assert.deepEqual(curlLines(reached('h2+h3')), [line('--http3-only'), line('--http2')]);
});

test('requests a page of another port at its own address, and decodes it if encoded', () => {
  const page: ReachableSite['page'] = {
    url: 'https://b.test:8443/?a=1&b=2',
    contentEncoding: 'gzip',
  };
  assert.match(
    curlLines(reached('h2', { page }))[0] ?? '',
    / --compressed .* --connect-to b\.test:8443:10\.89\.1\.2:4434 'https:\/\/b\.test:8443\/\?a=1&b=2'$/,
  );
});

test('recognizes a certificate from outside the project by its key', () => {
  const [line = ''] = curlLines(reached('h2', { authorityFile: null }));
  assert.match(line, / --insecure --pinnedpubkey 'sha256\/\/pinA=;sha256\/\/pinB=' /);
  assert.doesNotMatch(line, /cacert/);
  assert.match(getLines(reached('h2', { authorityFile: null }))[0] ?? '', / --trust none$/);
});

test('prints the same for get, without npm', () => {
  const lines = getLines(reached('h2+h3'));
  assert.equal(lines.length, 2);
  assert.match(
    lines[0] ?? '',
    /^nsenter --net=\/proc\/7\/ns\/net -- \S+ \S+\/bin\/quic-vs-https\.ts get https:\/\/a\.test\/ --via h3 --resolve 10\.89\.1\.1:4433 --trust \/tmp\/keys\/ca\.pem$/,
  );
  assert.match(getLines(reached('http/1.1'))[0] ?? '', / --via h1\.1 /);
  const { server } = reached('h3');
  const postQuantum = { server: { ...server, keyExchange: 'x25519mlkem768' } } as const;
  assert.match(getLines(reached('h3', postQuantum))[0] ?? '', / --key-exchange x25519mlkem768 /);
});
