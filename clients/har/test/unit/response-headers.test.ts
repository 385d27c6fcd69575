import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HarEntry } from '../../har.ts';
import { responseHeaderNames, responseHeadersSha256 } from '../../response-headers.ts';

type Pairs = [name: string, value: string][];

function entry(headers: Pairs, { status = 200, url = 'https://www.example.org/' } = {}): HarEntry {
  return {
    request: { method: 'GET', url },
    response: { status, headers: headers.map(([name, value]) => ({ name, value })) },
  } as HarEntry;
}

const digestOf = (headers: Pairs, about?: Parameters<typeof entry>[1]) =>
  responseHeadersSha256([entry(headers, about)]);

const HEADERS: Pairs = [
  ['content-type', 'text/css'],
  ['vary', 'accept'],
  ['vary', 'cookie'],
];

test('has the same digest for equivalent HTTP', () => {
  const digest = digestOf(HEADERS);
  assert.match(digest, /^[0-9a-f]{64}$/);
  const same: Pairs[] = [
    [
      ['vary', 'accept'],
      ['content-type', 'text/css'],
      ['vary', 'cookie'],
    ],
    [
      ['Vary', 'accept, cookie'],
      ['Content-Type', ' text/css'],
    ],
    [...HEADERS, ['date', 'Thu, 01 Jan 2026 00:00:00 GMT']],
    [...HEADERS, ['Connection', 'keep-alive'], ['keep-alive', 'timeout=5']],
  ];
  for (const headers of same) assert.equal(digestOf(headers), digest, String(headers));
});

test('has another digest for a missing header, another value, another order of one name, status or URL', () => {
  const digest = digestOf(HEADERS);
  const variants: Pairs[] = [
    HEADERS.slice(1),
    [...HEADERS, ['server', 'gunicorn']],
    [['content-type', 'text/html'], ...HEADERS.slice(1)],
    [
      ['content-type', 'text/css'],
      ['vary', 'cookie, accept'],
    ],
  ];
  for (const headers of variants) assert.notEqual(digestOf(headers), digest, String(headers));
  assert.notEqual(digestOf(HEADERS, { status: 404 }), digest);
  assert.notEqual(digestOf(HEADERS, { url: 'https://www.example.org/other' }), digest);
});

test('never joins cookies', () => {
  const apart: Pairs = [
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
  ];
  assert.notEqual(digestOf(apart), digestOf([['set-cookie', 'a=1, b=2']]));
});

test('includes a length only where there may be a body', () => {
  const length: Pairs = [['content-length', '0']];
  assert.equal(digestOf(length, { status: 204 }), digestOf([], { status: 204 }));
  assert.notEqual(digestOf(length), digestOf([]));
});

test('ignores the order of the responses, and not their number', () => {
  const a = entry(HEADERS);
  const b = entry([['vary', 'cookie']], { url: 'https://www.example.org/b' });
  assert.equal(responseHeadersSha256([a, b]), responseHeadersSha256([b, a]));
  assert.notEqual(responseHeadersSha256([a, b]), responseHeadersSha256([a]));
});

test('lists names in lower case, sorted, each once', () => {
  const entries = [entry([['Vary', 'a']]), entry([...HEADERS, ['age', '1']])];
  assert.deepEqual(responseHeaderNames(entries), ['age', 'content-type', 'vary']);
});

test('ignores dates that servers move along with the calendar, and no other values', () => {
  const at = (moment: string, name = 'expires') => digestOf([[name, moment]]);
  const [monday, tuesday] = ['Mon, 02 Nov 2026 10:00:00 GMT', 'Tue, 03 Nov 2026 10:00:00 GMT'];
  assert.equal(at(monday), at(tuesday));
  assert.equal(
    at(`a=1; expires=${monday}`, 'set-cookie'),
    at(`a=1; expires=${tuesday}`, 'set-cookie'),
  );
  assert.notEqual(
    at(`a=1; expires=${monday}`, 'set-cookie'),
    at(`a=2; expires=${monday}`, 'set-cookie'),
  );
  assert.notEqual(at(monday), at('0'));
  assert.notEqual(at(monday, 'x-built'), at(tuesday, 'x-built'));
});
