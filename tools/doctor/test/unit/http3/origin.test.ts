import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../../../../../ground/system/exit-status.ts';
import { commandLineOf, modeFlags } from '../../../http3/chromium.ts';
import { readOrigin } from '../../../http3/origin.ts';

test('reads a server from a URL without scheme, port or path', () => {
  const { url, host, port, path } = readOrigin('https://A.test:8443/x?y=1', null);
  assert.deepEqual(
    [url, host, port, path],
    ['https://a.test:8443/x?y=1', 'a.test', 8443, '/x?y=1'],
  );
  assert.equal(readOrigin('localhost:8443', null).url, 'https://localhost:8443/');
  assert.equal(readOrigin('[::1]', null).url, 'https://[::1]/');
  for (const wrong of ['', 'http://a.test', '@file', 'a b', 'https://:1', 'a.test:0']) {
    assert.throws(() => readOrigin(wrong, null), UsageError, wrong);
  }
  assert.throws(
    () => readOrigin('a.test', 'b.test'),
    /--resolve b\.test: expected an IPv4 or IPv6/,
  );
});

test('each mode removes more obstacles to HTTP/3, at the given address', () => {
  const origin = readOrigin('a.test:8443', '::1');
  const address = '--host-resolver-rules=MAP a.test [::1]';
  const pin = '--ignore-certificate-errors-spki-list=abc';
  assert.deepEqual(modeFlags(origin, 'as-is', ['abc']), [address]);
  assert.deepEqual(modeFlags(origin, 'accepted', ['abc']), [
    address,
    pin,
    '--origin-to-force-quic-on=a.test:1',
  ]);
  const forced = '--origin-to-force-quic-on=a.test:8443';
  assert.deepEqual(modeFlags(origin, 'forced', ['abc']), [address, pin, forced]);
  assert.deepEqual(modeFlags(origin, 'forced', []), [address, forced]);
  assert.equal(
    commandLineOf(origin, 'forced', ['abc']),
    `chromium --user-data-dir=$(mktemp -d) '${address}' ${pin} ${forced} https://a.test:8443/`,
  );
});
