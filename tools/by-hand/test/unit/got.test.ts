import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BodyResult } from '../../../../clients/getter.ts';
import { NO_FACTS } from '../../../../ground/records/connection-attempt.ts';
import { type GetResult, resultLines, statusOf } from '../../get.ts';

const WHOLE: BodyResult = {
  tcpMs: 30,
  maySendMs: 60,
  completeMs: 60,
  confirmedMs: null,
  firstByteMs: 90.04,
  totalMs: 1060,
  facts: {
    ...NO_FACTS,
    tlsVersion: 'TLS 1.3',
    cipher: 'TLS_AES_128_GCM_SHA256',
    group: 'X25519',
    alpn: 'h2',
    status: 200,
  },
  error: null,
  headers: [
    ['content-type', 'text/html'],
    ['content-length', '125000'],
  ],
  receivedBytes: 125_000,
};

function gotOf(parts: Partial<BodyResult>, status = 200): GetResult {
  return {
    request: {
      url: 'https://a.test/',
      isLive: true,
      alpn: 'h2',
      transports: ['tls1.3'],
      host: 'a.test',
      authority: 'a.test',
      path: '/',
      fields: { accept: '*/*' },
      trust: 'system',
      timeoutMs: 1000,
    },
    transport: 'tls1.3',
    address: '192.0.2.1:443',
    lookupMs: 1.5,
    body: { ...WHOLE, facts: { ...WHOLE.facts, status }, ...parts },
  };
}

test('prints request, response and timings', () => {
  const got = gotOf({});
  assert.deepEqual(resultLines(got), [
    'GET https://a.test/ by h2 from 192.0.2.1:443, with accept: */*',
    '  status             200',
    '  content-type       text/html',
    '  body               125,000 bytes',
    '  connection         TCP, TLS 1.3, TLS_AES_128_GCM_SHA256, X25519; full handshake',
    '  DNS look-up        1.5 ms, not included below',
    '  TCP connected      30.0 ms',
    '  request may leave  60.0 ms',
    '  first byte         90.0 ms',
    '  complete body      1,060.0 ms',
    '  goodput            1.00 Mbit/s since the request',
  ]);
  assert.equal(statusOf(got), 0);
});

test('exits with 4 for a status from 400, not for a redirect', () => {
  assert.deepEqual(
    [200, 302, 304, 399, 400, 404, 500].map((status) => statusOf(gotOf({}, status))),
    [0, 0, 0, 0, 4, 4, 4],
  );
});

test('reports a body shorter than its Content-Length, unless the status has no body', () => {
  const short = { receivedBytes: 10 };
  assert.equal(
    resultLines(gotOf(short)).at(-1),
    'The body is incomplete: 10 of 125,000 bytes received.',
  );
  assert.equal(statusOf(gotOf(short)), 4);
  assert.equal(statusOf(gotOf(short, 304)), 0);
});

test('explains a failure, and escapes control characters', () => {
  const error = { layer: 'tls', code: 'CERT_HAS_EXPIRED', reason: 'Expected this.' } as const;
  const refused = gotOf({ error, facts: { ...WHOLE.facts, status: null } });
  assert.match(resultLines(refused).at(-1) ?? '', /^Expected this\. --trust FILE/);
  assert.equal(statusOf(refused), 4);
  assert.ok(!resultLines(refused).some((line) => /request may leave/.test(line)));
  const odd = gotOf({ headers: [['location', '\u001b[2J']] });
  assert.ok(resultLines(odd).every((line) => !line.includes('\u001b')));
  const client = { ...error, layer: 'client' } as const;
  assert.equal(statusOf(gotOf({ error: client })), 3);
});
